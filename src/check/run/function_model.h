// SPDX-License-Identifier: Apache-2.0
//
// A model that is a function in this process, with or without state.
//
//   FunctionModel model = FunctionModel::Plain(
//       [](const Inputs& inputs) { return inputs[0].toTensor().relu(); });
#pragma once

#include <functional>

#include "check/model/model.h"

namespace culprit::check {

using Inputs = std::vector<c10::IValue>;

class FunctionModel : public Model {
 public:
  using Function = std::function<c10::IValue(const ModelState& state, Inputs& inputs)>;
  using Fp64Twin = std::function<base::Result<std::unique_ptr<Model>>()>;

  /// Boxed, with a state that is copied for every run.
  FunctionModel(Function function, ModelState state)
      : function_(std::move(function)), state_(std::move(state)) {}

  static FunctionModel Plain(std::function<c10::IValue(const Inputs&)> function);
  static FunctionModel Boxed(std::function<c10::IValue(Inputs&)> function);

  /// Who can compute the same in float64. Without one there is no fp64 reference.
  void set_fp64_twin(Fp64Twin twin) { fp64_twin_ = std::move(twin); }

  std::unique_ptr<Model> Copy() const override;
  c10::IValue Call(Inputs& inputs) override { return function_(state_, inputs); }
  const ModelState& state() const override { return state_; }
  base::Result<std::unique_ptr<Model>> InFp64(const Inputs& inputs,
                                              const repro::RunSettings& settings) const override;

 private:
  Function function_;
  ModelState state_;
  Fp64Twin fp64_twin_;
};

}  // namespace culprit::check
