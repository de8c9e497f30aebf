// SPDX-License-Identifier: Apache-2.0
//
// A fault as users write it: WHERE:KIND or WHERE:KIND:ARGUMENT.
//
//   tanh:accuracy                   every graph with a tanh computes wrong numbers
//   convolution>relu:segfault       (faults/where.h)
//   aten::add.Tensor:flaky:5        one call in five
//   mean:wrong-loop                 in a pass of backend native (faults/spoil.h)
//
// The kinds stand in one table, in the order of `culprit faults`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "faults/incident.h"
#include "faults/spoil.h"
#include "faults/where.h"

namespace culprit::faults {

struct FaultKind {
  std::string_view name;
  FaultMoment moment = FaultMoment::kCall;
  /// Null for faults in passes.
  void (*strike)(Incident& incident) = nullptr;
  /// What the argument is called; empty if the kind takes none. It is an integer from 1 on.
  std::string_view argument;
  /// One line, in lower case and without a full stop.
  std::string_view line;
  /// How many calls it takes until it shows.
  int calls = 1;
  /// Which pass of backend native it is in, and what it does there.
  std::string_view pass = {};
  Spoil spoil = nullptr;
};

std::span<const FaultKind> AllFaultKinds();

struct Fault {
  Where where;
  const FaultKind* kind = nullptr;
  /// 0 if the kind takes none.
  uint64_t argument = 0;
  bool operator==(const Fault&) const = default;

  bool is_in_pass() const { return kind->moment == FaultMoment::kPass; }
  /// What ParseFault reads.
  std::string ToString() const;
};

/// The error says what is wrong and names the nearest kind that exists.
base::Result<Fault> ParseFault(std::string_view text);
/// For a compiler that gets graphs as they were captured, or those that autograd makes of them.
base::Result<std::vector<Fault>> ParseFaults(std::span<const std::string> texts, bool below_autograd);

}  // namespace culprit::faults
