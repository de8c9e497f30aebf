// SPDX-License-Identifier: Apache-2.0
//
// An edit: a way to make a program from another one. It speaks of nodes and inputs by name, so it can be
// applied to any program that still has them, and several edits that each keep the failure can be tried
// together.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "minify/program/program.h"
#include "minify/program/subject.h"

namespace culprit::minify {

/// When the search goes on from what an edit made.
enum class Acceptance : uint8_t {
  /// It fails in the same way and is smaller (size.h).
  kIfSmaller,
  /// It fails in the same way: better, whatever its size. Only for strategies that run once.
  kIfItFails,
  /// Never: the answer is wanted, not the program.
  kNever,
};

struct Edit {
  /// For people: "keep the first 12 operators".
  std::string what;
  /// Refuses with a reason what cannot be done to this subject.
  std::function<base::Result<Program>(const Subject&)> apply;
  Acceptance acceptance = Acceptance::kIfSmaller;
};

/// The program of just these nodes, fed with recorded values (graph/passes/extract.h).
Edit KeepNodes(std::string what, std::vector<std::string> names);
/// The program without these nodes.
Edit DropNodes(std::string what, std::vector<std::string> names);

}  // namespace culprit::minify
