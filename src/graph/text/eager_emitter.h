// SPDX-License-Identifier: Apache-2.0
//
// For tests: an emitter that runs every call at once, so that an expansion can be asked for its numbers.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/text/expansion.h"

namespace culprit::graph::text {

class EagerEmitter : public Emitter {
 public:
  /// A placeholder with this tensor.
  Argument Input(at::Tensor tensor);

  base::Result<std::vector<ValueId>> Emit(std::string_view op, WrittenArguments arguments) override;

  /// The tensor or int that an argument stands for.
  c10::IValue Get(const Argument& argument) const;
  at::Tensor Tensor(const Argument& argument) const { return Get(argument).toTensor(); }

  const Graph& graph() const { return graph_; }

 private:
  c10::IValue ForSlot(const Argument& argument, const Slot& slot) const;

  Graph graph_;
  std::vector<c10::IValue> values_;
};

}  // namespace culprit::graph::text
