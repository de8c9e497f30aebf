// SPDX-License-Identifier: Apache-2.0
//
// How a run of a model ended: with results, or in a failure, which is as much an answer.
//
// Results are collected as PyTorch's collect_results does, and the inputs as they are after the run, since a
// model may write into them. Their names, as a verdict shows them:
//
//   outputs[0]  outputs.logits        what the model returned
//   gradients.parameters.fc.weight    zeros if there is none
//   gradients.inputs[2]               None if there is none
//   parameters.fc.weight  buffers.running_mean  inputs[1]
#pragma once

#include <ATen/core/ivalue.h>

#include <exception>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/model/model.h"

namespace culprit::check {

/// Of one call.
struct Results {
  c10::IValue outputs;
  /// Nothing if only the forward pass was wanted.
  std::optional<c10::IValue> input_gradients;
  std::vector<NamedTensor> parameter_gradients;
  ModelState state;
  std::vector<c10::IValue> inputs;
  /// Which inputs the model has left alone (input_watch.h).
  std::vector<bool> unwritten;
};

/// What a run was doing.
enum class Phase { kCompile, kClone, kForward, kReduce, kBackward, kSynchronize };
std::string_view NameOf(Phase phase);

struct RunFailure {
  Phase phase = Phase::kForward;
  /// As it was thrown, without a backtrace.
  std::string message;
  /// Which call it was, counted from 0.
  int call = 0;
  /// Of what was thrown, as C++ names it.
  std::string type = {};
  /// What was thrown, in the process that it was thrown in.
  std::exception_ptr exception = nullptr;

  /// "forward: message", "calls[2], backward: message".
  std::string ToString() const;
};

struct RunEnd {
  /// One per call; if there is a failure, those before it.
  std::vector<Results> calls;
  std::optional<RunFailure> failure;

  bool ok() const { return !failure; }
};

/// The results of all calls as one value, for compare::Compare. With more than one call the names begin with
/// calls[0]. The state and its gradients can be left out.
c10::IValue AsTree(const std::vector<Results>& calls, bool with_state);

/// The names of the inputs that were left alone: "inputs[1]", or "calls[0].inputs[1]" with several calls.
std::set<std::string> UnwrittenInputs(const std::vector<Results>& calls);

}  // namespace culprit::check
