// SPDX-License-Identifier: Apache-2.0
//
// functorch's minifier in a Python of its own (bench/functorch_minifier.py).
#pragma once

#include <string>
#include <vector>

#include "bench/marked_graph.h"

namespace culprit::bench {

/// What a minifier did.
struct Minified {
  size_t queries = 0;
  /// Of different sets of operators.
  size_t distinct = 0;
  double seconds = 0;
  /// The oracle's.
  double outside = 0;
  /// Above what the process had before.
  double megabytes = 0;
  size_t left = 0;
  /// Not stopped.
  bool ended = true;
};

struct FunctorchCase {
  /// Of the graph in its text form.
  std::string path;
  Oracle oracle = Oracle::kOne;
};

struct FunctorchLimits {
  size_t queries = 1000;
  double seconds = 10;
};

/// One process for all cases.
std::vector<Minified> RunFunctorch(const std::vector<FunctorchCase>& cases, const FunctorchLimits& limits);

}  // namespace culprit::bench
