// SPDX-License-Identifier: Apache-2.0
//
// What happened in a live program, as models that a check can be asked about.
#pragma once

#include <memory>

#include "backend/backend.h"
#include "check/model/model.h"
#include "watch/subject/kept_inputs.h"

namespace culprit::watch {

/// A model without state, in this process alone.
class LiveModel : public check::Model {
 public:
  const check::ModelState& state() const override;
  base::Result<std::unique_ptr<check::Model>> InFp64(const std::vector<c10::IValue>& inputs,
                                                     const repro::RunSettings& settings) const override;
};

/// What was compiled, itself: nothing is compiled anew.
class CompiledItself : public LiveModel {
 public:
  explicit CompiledItself(backend::Compiled& compiled) : compiled_(compiled) {}

  std::unique_ptr<check::Model> Copy() const override { return std::make_unique<CompiledItself>(*this); }
  c10::IValue Call(std::vector<c10::IValue>& inputs) override;

 private:
  backend::Compiled& compiled_;
};

/// A call that is over: it gives what that gave, and writes what that wrote. Outputs that share memory with
/// the inputs of that call share it with the inputs of this one.
class RecordedCall : public LiveModel {
 public:
  /// `kept` are its inputs. All has to outlive the model.
  RecordedCall(const KeptInputs& kept, const backend::Values& outputs) : kept_(kept), outputs_(outputs) {}

  std::unique_ptr<check::Model> Copy() const override { return std::make_unique<RecordedCall>(*this); }
  c10::IValue Call(std::vector<c10::IValue>& inputs) override;

 private:
  const KeptInputs& kept_;
  const backend::Values& outputs_;
};

}  // namespace culprit::watch
