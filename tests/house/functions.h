// SPDX-License-Identifier: Apache-2.0
//
// Finds the functions of a C++ text by matching braces, well enough to measure how long they are. It is no
// parser: comments, literals and preprocessor lines are blanked, and a brace at namespace or class level
// opens a function if the declaration before it has a parameter list and is no initialiser.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace culprit::tests {

struct Function {
  /// The declaration up to its parameters: "void Graph::Run".
  std::string name;
  /// Where the declaration begins, counted from 1.
  size_t line = 0;
  /// From there to the closing brace.
  size_t lines = 0;
};

/// In the order in which they end. Functions inside others (lambdas, local classes) belong to those.
std::vector<Function> FindFunctions(std::string_view text);

/// The text with comments, the contents of literals, and preprocessor lines replaced by blanks.
std::string WithoutCommentsAndLiterals(std::string_view text);

}  // namespace culprit::tests
