// SPDX-License-Identifier: Apache-2.0
//
// The part of a repro in C++ that is the same for every repro: functions over libtorch that the graph and
// its inputs are written with. A program gets those that it calls, declared with a comment where it begins
// and defined where it ends, so that the graph is what a reader sees first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace culprit::repro {

struct CppSupport {
  /// #include lines for the whole program.
  std::string includes;
  std::string declarations;
  std::string definitions;
};

/// For a program with this body.
CppSupport CppSupportFor(std::string_view body);

/// The names that a program's own variables cannot have.
std::vector<std::string_view> CppSupportNames();

}  // namespace culprit::repro
