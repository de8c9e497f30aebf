// SPDX-License-Identifier: Apache-2.0
//
// A captured function `f` of one rank, in a process of its own (tests/ranks/rank_processes.h). It agrees with
// those of the other ranks as a compiled module does.
#pragma once

#include <string>
#include <vector>

#include "api/agreement.h"
#include "tests/lib/captured_function.h"

namespace culprit::tests {

struct RankFunctionOptions {
  /// Where rank 0 is.
  uint16_t port = 0;
  double timeout = 20;
  /// If one captures again, all do.
  bool together = false;
  bool fullgraph = false;
};

/// Of a program that agrees with those of the other ranks.
capture::Options AgreeingOptions(int rank, int size, const RankFunctionOptions& options);

class RankFunction {
 public:
  RankFunction(int rank, int size, const char* source, const RankFunctionOptions& options);

  /// "right", "wrong", or what was thrown.
  std::string Call(const std::vector<c10::IValue>& arguments);

  /// How many were captured, and what is assumed of the arguments by the last one: "2: x [s0, 3], n s1".
  std::string Captured();
  const std::vector<std::string>& warnings() const { return function_.warnings(); }
  CapturedFunction& function() { return function_; }

 private:
  CapturedFunction function_;
};

}  // namespace culprit::tests
