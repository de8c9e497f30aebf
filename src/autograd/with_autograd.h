// SPDX-License-Identifier: Apache-2.0
//
// Makes of a backend for graphs below autograd one for graphs above it: what it compiles is called with
// inputs that require gradients, and gives outputs that have them.
//
//   graph  =>  trace, simplify, partition  =>  forward graph   => the backend, now
//                                              backward graph  => the backend, with the first gradient
//
// Outputs, gradients, writes, and memory that outputs share are those of the graph itself. One forward graph
// holds for inputs that lie as those it was traced with; others are traced and compiled when they come. A
// graph that cannot be traced runs as it is. Parameters are inputs, but for a backend that wants them frozen,
// where no gradients are recorded.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "autograd/partition/partition.h"
#include "backend/backend.h"

namespace culprit::autograd {

struct AutogradOptions {
  const PartitionMode* partition = &kPartitionModes[0];
  /// Of one graph, for inputs of different kinds and sizes; beyond, it runs as it is.
  size_t most_variants = 8;
  /// Hears why a graph runs as it is, or is not compiled as the backend would like it.
  std::function<void(const std::string&)> log = nullptr;
};

std::unique_ptr<backend::Backend> WithAutograd(std::unique_ptr<backend::Backend> lower,
                                               AutogradOptions options = {});

}  // namespace culprit::autograd
