// SPDX-License-Identifier: Apache-2.0
//
// One call of an operator on stand-ins for fake tensors. Storages first, then the tensors on them:
//
//   arguments    fakes     => stand-ins: one storage for each storage, one tensor for each tensor
//   the call     changes sizes, strides and storages of stand-ins, and returns stand-ins or new tensors
//   results      a stand-in => its fake, which takes over what was changed
//                a tensor on a stand-in's storage => a fake view on the fake's storage
//                a tensor on its own storage      => a new fake on a new storage
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>
#include <c10/util/SmallVector.h>

#include "graph/fake/call_plan.h"
#include "graph/fake/world.h"

namespace culprit::graph::fake {

/// On what operators compute instead.
enum class StandIn { kMeta, kZeros };

class FakeCall {
 public:
  FakeCall(World& world, const c10::OperatorHandle& op, const CallPlan& plan, StandIn stand_in)
      : world_(world), op_(op), plan_(plan), stand_in_(stand_in) {}

  /// Pushes the results. Real tensors among the arguments are as good as fakes, except that they cannot be
  /// written into. If the operator throws, nothing is known about the stack, and no fake has changed.
  void Run(c10::ArrayRef<c10::IValue> arguments, torch::jit::Stack& stack);

 private:
  struct Tensors {
    at::Tensor fake;
    at::Tensor stand_in;
  };
  struct Storages {
    c10::Storage fake;
    c10::Storage stand_in;
  };

  void CheckWritable(const c10::IValue& argument) const;
  void MoveDevices(torch::jit::Stack& stack, size_t first_argument) const;
  c10::IValue StandInFor(const c10::IValue& value);
  at::Tensor StandInFor(const at::Tensor& fake);
  c10::Storage StandInFor(const c10::Storage& fake);
  c10::IValue FakeFor(const c10::IValue& result);
  at::Tensor FakeFor(const at::Tensor& result);
  c10::Storage FakeFor(const c10::Storage& result);
  void TakeOverChanges();

  World& world_;
  const c10::OperatorHandle& op_;
  const CallPlan& plan_;
  StandIn stand_in_;
  c10::SmallVector<Tensors, 8> tensors_;
  c10::SmallVector<Storages, 8> storages_;
};

}  // namespace culprit::graph::fake
