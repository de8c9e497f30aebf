// SPDX-License-Identifier: Apache-2.0
//
// The texts of the functions that cpp_support.h chooses from. They are C++17 and call libtorch only. A
// function may call those above it.
#pragma once

#include <span>
#include <string_view>

namespace culprit::repro {

struct CppDefinition {
  std::string_view name;
  /// Above its declaration.
  std::string_view comment;
  /// Begins with a newline. What stands before the first " {\n" declares it.
  std::string_view text;
};

std::span<const CppDefinition> AllCppDefinitions();

}  // namespace culprit::repro
