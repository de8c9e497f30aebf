// SPDX-License-Identifier: Apache-2.0
//
// A model in evaluation mode, with the arguments of one call.
#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

#include "capture/captured_program.h"
#include "model/load_model.h"

namespace culprit::bench {

struct LoadedCall {
  torch::jit::Module module;
  /// Without the module.
  std::vector<c10::IValue> inputs;

  /// Of this module or of a copy of it.
  static model::Entry EntryOf(const torch::jit::Module& module);
  std::vector<c10::IValue> ArgumentsFor(const torch::jit::Module& module) const;
};

/// The smallest of a family; those of tests::kTorchvisionSample are at hand, others are exported first.
LoadedCall LoadArchive(const std::string& name);

/// With eager as the compiler.
capture::Options EagerOptions();

}  // namespace culprit::bench
