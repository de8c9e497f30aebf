// SPDX-License-Identifier: Apache-2.0
//
// A hunt in the graphs of one program, one after the other. The first that fails is made smaller, or all of
// them if that is wanted. The others are looked at all the same, so that nobody takes the first failure for
// the only one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "check/question/question.h"
#include "hunt/request/listener.h"
#include "hunt/result/report.h"

namespace culprit::hunt {

enum class Standing : uint8_t {
  kPasses,
  kFails,
  /// It fails, but only in ways that were set aside.
  kIgnored,
  /// It does not run in eager, so that it says nothing about a compiler.
  kInvalid,
};
std::string_view NameOf(Standing standing);

struct HuntedGraph {
  /// Counted from 1, in the order of the program.
  size_t number = 0;
  std::string name;
  size_t operators = 0;
  check::Character character;
  /// If it was made smaller.
  std::optional<Report> report = std::nullopt;

  Standing standing() const;
  /// The signature of its failure, or of the one that was set aside, or why it is invalid.
  std::string what() const;
};

/// Looks at one of the graphs and, unless it has to be quick, makes it smaller if it fails; the name and the
/// number are the caller's. An error if nobody can be asked.
using HuntOne = std::function<base::Result<HuntedGraph>(size_t index, bool quickly)>;

struct GraphSeries {
  /// Of all graphs of the program.
  std::vector<std::string> names;
  /// Only this one; nothing if all.
  std::optional<size_t> only = std::nullopt;
  /// Whether all that fail are made smaller, or only the first.
  bool all = false;
};

/// Those that were looked at, in order: less than all if the user stops it.
base::Result<std::vector<HuntedGraph>> HuntInSeries(const GraphSeries& series, const HuntOne& hunt,
                                                    Listener& listener);

/// By its name, or its number. The error names the nearest and lists them.
base::Result<size_t> ChooseGraph(const std::vector<std::string>& names, std::string_view which);

}  // namespace culprit::hunt
