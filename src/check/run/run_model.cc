// SPDX-License-Identifier: Apache-2.0
#include "check/run/run_model.h"

#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <stdexcept>

#include "check/memory/return_unwritten.h"
#include "check/memory/share_repeated.h"
#include "check/model/clone_inputs.h"
#include "check/model/input_watch.h"
#include "check/model/thrown.h"
#include "check/run/scalar_loss.h"
#include "check/run/synchronize.h"
#include "graph/tensors/gradness.h"
#include "graph/tensors/map_tensors.h"

namespace culprit::check {
namespace {

using Values = std::vector<c10::IValue>;

constexpr std::string_view kOfOptimizedModules = "_orig_mod.";

/// libtorch warns about asking others for their gradient.
bool MayHaveGradient(const at::Tensor& tensor) {
  return tensor.defined() && (tensor.is_leaf() || tensor.retains_grad());
}

void ForgetGradient(const at::Tensor& tensor) {
  if (MayHaveGradient(tensor) && tensor.grad().defined()) tensor.mutable_grad() = at::Tensor();
}

void ForgetGradients(const ModelState& state, const Values& holders) {
  for (const NamedTensor& parameter : state.parameters) ForgetGradient(parameter.tensor);
  for (const c10::IValue& holder : holders) {
    graph::MapTensors(holder, [](const at::Tensor& tensor) { return ForgetGradient(tensor), tensor; });
  }
}

/// A copy: whether two gradients share memory is up to autograd, and says nothing about the model.
at::Tensor GradientOf(const at::Tensor& tensor) {
  if (!MayHaveGradient(tensor) || !tensor.grad().defined()) return {};
  return tensor.grad().detach().clone();
}

/// In the structure of the inputs; None for what is neither a tensor nor a container.
c10::IValue GradientsOf(const Values& holders) {
  c10::impl::GenericList gradients(c10::AnyType::get());
  for (const c10::IValue& holder : holders) {
    const bool has_tensors =
        holder.isTensor() || holder.isList() || holder.isTuple() || holder.isGenericDict();
    gradients.push_back(has_tensors ? graph::MapTensors(holder, GradientOf) : c10::IValue());
  }
  return gradients;
}

std::vector<NamedTensor> GradientsOf(const std::vector<NamedTensor>& parameters) {
  std::vector<NamedTensor> gradients;
  for (const auto& [name, parameter] : parameters) {
    const at::Tensor gradient = GradientOf(parameter);
    gradients.push_back({name, gradient.defined() ? gradient : at::zeros_like(parameter)});
  }
  return gradients;
}

std::vector<NamedTensor> WithPlainNames(std::vector<NamedTensor> tensors) {
  for (NamedTensor& tensor : tensors) {
    if (tensor.name.starts_with(kOfOptimizedModules)) tensor.name.erase(0, kOfOptimizedModules.size());
  }
  return tensors;
}

/// The same values without what backward would need, all the memory of a forward pass.
c10::IValue WithoutHistory(const c10::IValue& value) {
  return graph::MapTensors(value, [](const at::Tensor& tensor) {
    return !tensor.defined() || tensor.is_leaf() ? tensor : tensor.detach().set_requires_grad(true);
  });
}

Devices DevicesOf(const ModelState& state, const Values& inputs) {
  Devices devices;
  for (const c10::IValue& input : inputs) AddAccelerators(input, devices);
  for (const NamedTensor& parameter : state.parameters) AddAccelerators(parameter.tensor, devices);
  for (const NamedTensor& buffer : state.buffers) AddAccelerators(buffer.tensor, devices);
  return devices;
}

/// What a run is doing; announced where somebody listens.
class Progress {
 public:
  explicit Progress(const RunOptions& options) : options_(options) {}

  void Enter(Phase phase) {
    phase_ = phase;
    if (!options_.announce) return;
    if (phase == Phase::kCompile) options_.announce(NameOf(phase));
    if (phase == Phase::kForward) options_.announce(fmt::format("call {}", call_ + 1));
    if (phase == Phase::kBackward) options_.announce(fmt::format("backward of call {}", call_ + 1));
  }
  void EndCall() { ++call_; }

  RunFailure FailureOf(const Thrown& thrown) const {
    return {phase_, thrown.message, call_, thrown.type, thrown.exception};
  }

 private:
  const RunOptions& options_;
  Phase phase_ = Phase::kCompile;
  int call_ = 0;
};

/// One call, phase by phase.
class Call {
 public:
  Call(Model& model, const RunOptions& options, Progress& progress)
      : model_(model), options_(options), progress_(progress) {}

  Results Run(const Values& inputs) {
    progress_.Enter(Phase::kClone);
    results_.inputs = options_.no_clone ? inputs : CloneInputs(inputs);
    for (const c10::IValue& input : results_.inputs)
      gradient_holders_.push_back(graph::MapTensors(input, graph::HolderOfGradient));
    ForgetGradients(model_.state(), gradient_holders_);
    const InputWatch watch(inputs, results_.inputs);
    const repro::RunScope scope(options_.settings);
    progress_.Enter(Phase::kForward);
    Values handed_over = results_.inputs;
    results_.outputs = model_.Call(handed_over);
    // In other modes an output that requires grad is an input that is handed through.
    const bool records_history = options_.settings.grad && !options_.settings.inference;
    if (!options_.only_forward && records_history && RequiresBackward(results_.outputs)) Backward();
    progress_.Enter(Phase::kSynchronize);
    Collect();
    Synchronize(UsedDevices());
    results_.unwritten = watch.Unwritten();
    ReturnUnwritten(inputs, results_);
    return std::move(results_);
  }

 private:
  void Backward() {
    progress_.Enter(Phase::kReduce);
    const base::Result<at::Tensor> loss = ReduceToScalarLoss(results_.outputs);
    if (!loss.ok()) throw std::runtime_error(loss.error().message);
    progress_.Enter(Phase::kBackward);
    loss->backward();
  }

  Devices UsedDevices() const {
    Devices devices = DevicesOf(model_.state(), results_.inputs);
    AddAccelerators(results_.outputs, devices);
    return devices;
  }

  void Collect() {
    const ModelState& state = model_.state();
    results_.state = {WithPlainNames(state.parameters), WithPlainNames(state.buffers)};
    if (!options_.only_forward) {
      results_.input_gradients = GradientsOf(gradient_holders_);
      results_.parameter_gradients = GradientsOf(results_.state.parameters);
    }
    results_.outputs = WithoutHistory(results_.outputs);
    if (options_.no_clone) return;
    for (c10::IValue& input : results_.inputs) input = WithoutHistory(input);
  }

  Model& model_;
  const RunOptions& options_;
  Progress& progress_;
  Values gradient_holders_;
  Results results_;
};

/// Compilers see the modes that the graph runs in, and nothing else of the caller's.
std::unique_ptr<Model> MakeCopy(const Model& model, const RunOptions& options, Progress& progress) {
  progress.Enter(Phase::kCompile);
  const repro::RunScope scope(options.settings);
  return model.Copy();
}

}  // namespace

RunEnd RunModel(const Model& model, const Values& inputs, const RunOptions& options, KeptModel* kept) {
  RunEnd outcome;
  Progress progress(options);
  const Devices devices = DevicesOf(model.state(), inputs);
  const std::optional<Thrown> thrown = CatchThrown([&] {
    // The inputs may still be on their way, and if that fails, it is not the model's fault.
    progress.Enter(Phase::kClone);
    Synchronize(devices);
    std::unique_ptr<Model> copy = MakeCopy(model, options, progress);
    Synchronize(devices);
    for (int i = 0; i < options.calls; ++i) {
      outcome.calls.push_back(Call(*copy, options, progress).Run(inputs));
      if (i > 0) ShareRepeated(outcome.calls.front(), outcome.calls.back());
      progress.EndCall();
    }
    if (kept != nullptr) kept->copy = std::move(copy);
  });
  if (!thrown) return outcome;
  outcome.failure = progress.FailureOf(*thrown);
  // Whatever else goes wrong because of it, or after it, is no failure of the next run.
  CatchThrown([&] { Synchronize(devices); });
  return outcome;
}

RunEnd CallAgain(const KeptModel& kept, const Values& inputs, const RunOptions& options) {
  RunEnd outcome;
  Progress progress(options);
  const std::optional<Thrown> thrown =
      CatchThrown([&] { outcome.calls.push_back(Call(*kept.copy, options, progress).Run(inputs)); });
  if (thrown) outcome.failure = progress.FailureOf(*thrown);
  return outcome;
}

}  // namespace culprit::check
