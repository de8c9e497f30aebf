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
#include "minify/program.h"
#include "minify/subject.h"

namespace culprit::minify {

struct Edit {
  /// For people: "keep the first 12 operators".
  std::string what;
  /// Refuses with a reason what cannot be done to this subject.
  std::function<base::Result<Program>(const Subject&)> apply;
};

/// The program of just these nodes, fed with recorded values (graph/extract.h).
Edit KeepNodes(std::string what, std::vector<std::string> names);
/// The program without these nodes.
Edit DropNodes(std::string what, std::vector<std::string> names);

}  // namespace culprit::minify
