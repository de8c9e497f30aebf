// SPDX-License-Identifier: Apache-2.0
//
// While a Mode lives, the operators that its thread calls compute fake results (graph/fake/world.h), those
// that make tensors from nothing included. It is a fallback at a dispatch key of its own, below autograd and
// autocast: both see CPU tensors and do what they do to real ones. An operator for which there is no Meta
// kernel computes on zeros, which World::fallbacks counts; one that depends on data throws DataDependent.
//
// Operators of TorchScript that are none of the dispatcher's are not seen. Those that read or fill memory
// themselves (aten::tensor of a list, prim::tolist) crash on fakes, and are not to be called under a Mode.
// The same holds for every operator on a fake without a Mode.
#pragma once

#include <c10/core/impl/LocalDispatchKeySet.h>

#include "graph/fake/data_dependent.h"
#include "graph/fake/world.h"

namespace culprit::graph::fake {

/// Sees the operators that are computed on fakes, in the order of the calls: those below autograd and
/// autocast, of which others are made.
class CallListener {
 public:
  virtual ~CallListener() = default;
  virtual void Before(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) = 0;
  virtual void After(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                     c10::ArrayRef<c10::IValue> results) = 0;
};

class Mode {
 public:
  explicit Mode(World& world, CallListener* listener = nullptr);
  ~Mode();
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;

 private:
  World* outer_;
  CallListener* outer_listener_;
  c10::impl::IncludeDispatchKeyGuard include_;
};

}  // namespace culprit::graph::fake
