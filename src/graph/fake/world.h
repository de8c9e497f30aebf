// SPDX-License-Identifier: Apache-2.0
//
// Fake tensors: geometry, dtype, layout, aliasing and gradness of real ones, and no memory. Under a Mode
// (graph/fake/mode.h) operators on them give fakes that are to the fakes what the real results are to the
// real tensors.
//
//   World world;
//   at::Tensor x = world.FakeOf(image), w = world.FakeOf(weight);
//   Mode mode(world);
//   at::Tensor y = at::conv2d(x, w);
//   // y.sizes(), y.strides(), y.requires_grad() are those of a real run
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Storage.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "graph/fake/call_plan.h"

namespace culprit::graph::fake {

/// The fakes of one capture. Not thread-safe; each capture has its own.
class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// The same real tensor gives the same fake one, and tensors that share a storage give fakes that share
  /// one. The real tensors are kept alive. It requires a gradient and is a leaf, computed or a view as the
  /// real one is. An undefined tensor stays undefined, a fake stays itself. Throws
  /// c10::NotImplementedError for tensors that are more than strided memory on the CPU: sparse, quantised,
  /// of other devices.
  at::Tensor FakeOf(const at::Tensor& real);

  /// The same with other sizes and strides, on a storage of its own, for a tensor that nobody has asked for
  /// yet. It is no view.
  at::Tensor FakeOf(const at::Tensor& real, c10::IntArrayRef sizes, c10::IntArrayRef strides);

  /// The memory-less storage that stands for a real one; a fake storage stays itself.
  c10::Storage FakeOf(const c10::Storage& real);

  static bool IsFake(const at::Tensor& tensor);

  /// Operators that libtorch and Culprit have no Meta kernel for, with how often each ran on zeros instead.
  const std::map<std::string, int64_t>& fallbacks() const { return fallbacks_; }
  void CountFallback(const c10::OperatorHandle& op);

  /// How this operator is computed on fakes; decided when it is first seen.
  const CallPlan& PlanOf(const c10::OperatorHandle& op);

 private:
  at::Tensor WithHistoryOf(const at::Tensor& real, at::Tensor fake);

  template <typename Real, typename Fake>
  struct Pair {
    Real real;
    Fake fake;
  };

  std::unordered_map<const at::TensorImpl*, Pair<at::Tensor, at::Tensor>> tensors_;
  std::unordered_map<const c10::StorageImpl*, Pair<c10::Storage, c10::Storage>> storages_;
  std::unordered_map<const c10::FunctionSchema*, CallPlan> plans_;
  std::map<std::string, int64_t> fallbacks_;
};

}  // namespace culprit::graph::fake
