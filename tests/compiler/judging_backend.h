// SPDX-License-Identifier: Apache-2.0
//
// Eager, with somebody beside it: every graph is compiled by the native compiler too, and every call is made
// with both and judged (tests/compiler/judge.h), gradients included. So a program that is captured runs on
// what eager computes, and all its graphs are compared, with all sizes and strides that come along.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "tests/compiler/judge.h"
#include "tests/compiler/native_backend.h"

namespace culprit::tests {

struct Judged {
  size_t graphs = 0;
  size_t calls = 0;
  /// Eager fails, or differs from run to run.
  size_t calls_that_say_nothing = 0;
  std::vector<std::string> differences;
};

std::unique_ptr<backend::Backend> OpenJudging(const NativeSetting& setting, std::shared_ptr<Judged> judged,
                                              const JudgeOptions& options = {});

}  // namespace culprit::tests
