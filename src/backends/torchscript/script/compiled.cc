// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/compiled.h"

#include "graph/tensors/tensor_copy.h"

namespace culprit::backends::torchscript {

TorchScriptCompiled::TorchScriptCompiled(BuiltGraph built, std::vector<size_t> kept, Flags flags)
    : function_(unit_.create_function(c10::QualifiedName("forward"), std::move(built.graph))),
      more_inputs_(std::move(built.more_inputs)),
      kept_(std::move(kept)),
      flags_(std::move(flags)) {}

backend::Values TorchScriptCompiled::Call(backend::Values& inputs) {
  torch::jit::Stack stack;
  for (const size_t index : kept_) stack.push_back(std::move(inputs.at(index)));
  inputs.clear();
  for (c10::IValue& more : graph::CopyAll(more_inputs_)) stack.push_back(std::move(more));
  const FlagScope scope(flags_);
  function_->run(stack);
  return stack.at(0).toTupleRef().elements().vec();
}

}  // namespace culprit::backends::torchscript
