// SPDX-License-Identifier: Apache-2.0
#include "check/run/function_model.h"

#include "check/model/clone_inputs.h"

namespace culprit::check {
namespace {

ModelState CopyOf(const ModelState& state) {
  InputClones clones;
  ModelState copy = state;
  for (NamedTensor& parameter : copy.parameters) parameter.tensor = clones.Clone(parameter.tensor);
  for (NamedTensor& buffer : copy.buffers) buffer.tensor = clones.Clone(buffer.tensor);
  return copy;
}

}  // namespace

FunctionModel FunctionModel::Plain(std::function<c10::IValue(const Inputs&)> function) {
  return {[function = std::move(function)](const ModelState&, Inputs& inputs) { return function(inputs); },
          {}};
}

FunctionModel FunctionModel::Boxed(std::function<c10::IValue(Inputs&)> function) {
  return {[function = std::move(function)](const ModelState&, Inputs& inputs) { return function(inputs); },
          {}};
}

std::unique_ptr<Model> FunctionModel::Copy() const {
  auto copy = std::make_unique<FunctionModel>(*this);
  copy->state_ = CopyOf(state_);
  return copy;
}

base::Result<std::unique_ptr<Model>> FunctionModel::InFp64(const Inputs& /*inputs*/,
                                                           const repro::RunSettings& /*settings*/) const {
  if (!fp64_twin_)
    return base::Diagnostic{{}, "the model is no graph, and offers no float64 version of itself"};
  return fp64_twin_();
}

}  // namespace culprit::check
