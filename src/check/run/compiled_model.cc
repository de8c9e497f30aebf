// SPDX-License-Identifier: Apache-2.0
#include "check/run/compiled_model.h"

#include "check/model/clone_inputs.h"
#include "graph/passes/own_constants.h"

namespace culprit::check {

std::unique_ptr<Model> CompiledModel::Copy() const {
  auto copy = std::make_unique<CompiledModel>(backend_, graph_, inputs_);
  copy->compiled_ = backend_.Compile(graph::WithOwnConstants(graph_), CloneInputs(inputs_));
  return copy;
}

c10::IValue CompiledModel::Call(std::vector<c10::IValue>& inputs) {
  CULPRIT_CHECK(compiled_ != nullptr, "a model is called before it is compiled");
  return c10::ivalue::Tuple::create(compiled_->Call(inputs));
}

const ModelState& CompiledModel::state() const {
  static const ModelState& none = *new ModelState;
  return none;
}

base::Result<std::unique_ptr<Model>> CompiledModel::InFp64(const std::vector<c10::IValue>&,
                                                           const repro::RunSettings&) const {
  return base::Diagnostic{{}, "a compiled graph cannot be cast to float64"};
}

}  // namespace culprit::check
