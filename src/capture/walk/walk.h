// SPDX-License-Identifier: Apache-2.0
//
// One capture: walks through the program from a state on, until it returns or something breaks the graph.
#pragma once

#include <set>
#include <string>

#include "capture/segment/segment.h"
#include "capture/walk/capture_effects.h"
#include "capture/walk/other_sizes.h"

namespace culprit::capture {

struct WalkOptions {
  /// Functions, by their own or their qualified name, that run as written.
  std::set<std::string> disabled = {};
  WalkLimits limits = {};
  /// Hears every instruction before it is taken: "forward 12: OP aten::conv2d".
  std::function<void(const std::string&)> log = nullptr;
};

/// A segment that is not compiled yet. Nothing of the program is changed, nor is a random generator. With a
/// sample, the program is taken to have other sizes, and what happens is noted there; the guards are still
/// those of the program as it is.
Segment Walk(const vm::State& start, vm::CodeBook& book, const WalkOptions& options, std::string name,
             Sample* sample = nullptr);

}  // namespace culprit::capture
