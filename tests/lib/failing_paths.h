// SPDX-License-Identifier: Apache-2.0
//
// What a verdict finds wrong, as short as a test wants it: the paths of mismatches, then of outputs that
// fail.
#pragma once

#include <string>
#include <vector>

#include "compare/verdict/verdict.h"

namespace culprit::tests {

inline std::vector<std::string> FailingPaths(const compare::Verdict& verdict) {
  std::vector<std::string> paths;
  for (const compare::Mismatch& mismatch : verdict.mismatches) paths.push_back(mismatch.path);
  for (const compare::Output& output : verdict.outputs) {
    if (!output.passes) paths.push_back(output.path);
  }
  return paths;
}

}  // namespace culprit::tests
