// SPDX-License-Identifier: Apache-2.0
//
// One run of a model, as PyTorch's run_fwd_maybe_bwd: the model gets a copy of its state and of its inputs,
// no gradients, the recorded modes and the recorded state of the random generator; it is called; if an output
// requires a gradient, it is reduced to one number (scalar_loss.h) and the backward pass follows;
// the results are collected (outcome.h). Nothing of the caller's is changed, neither tensors nor modes nor
// the generator.
//
// Accelerators are waited for (synchronize.h) before the run, after compiling and after each call, so what
// fails late fails where it belongs. What already was on its way and fails is a failure to clone the inputs.
#pragma once

#include <ATen/core/ivalue.h>

#include <functional>
#include <string_view>
#include <vector>

#include "check/model/model.h"
#include "check/model/run_end.h"
#include "repro/header/run_settings.h"

namespace culprit::check {

struct RunOptions {
  /// The same for every run, so that two runs of a model that draws random numbers draw the same ones.
  repro::RunSettings settings;
  /// No backward pass, and no gradients in the results.
  bool only_forward = false;
  /// The model gets the caller's own tensors, which is as close to the real thing as can be: it may write
  /// into them, their gradients are replaced, and their history is used up. The results are these tensors.
  bool no_clone = false;
  /// How often the model is called, one call after the other: each gets fresh clones of the inputs and the
  /// recorded state of the generator, and all share the model, which is made once, with its state. So a
  /// correct model without state gives the same every time. Some compilers begin to optimise at the second
  /// call.
  int calls = 1;
  /// Hears what the run does next: "compile", "call 1", "backward of call 1" ... Whoever runs it in a process
  /// that may die knows then what it died of.
  std::function<void(std::string_view)> announce = nullptr;
};

/// A model that ran, and can be called again as it is now.
struct KeptModel {
  std::unique_ptr<Model> copy;
};

/// Never throws what a model throws: that is a failure in the outcome. The exception is base::InternalError,
/// a bug of Culprit's own, which must not be blamed on a model; a backend that is not part of Culprit cannot
/// throw it.
RunEnd RunModel(const Model& model, const std::vector<c10::IValue>& inputs, const RunOptions& options,
                KeptModel* kept = nullptr);

/// One more call of a model that ran; `options.calls` does not matter.
RunEnd CallAgain(const KeptModel& kept, const std::vector<c10::IValue>& inputs, const RunOptions& options);

}  // namespace culprit::check
