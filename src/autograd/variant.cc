// SPDX-License-Identifier: Apache-2.0
#include "autograd/variant.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <unordered_map>

#include "autograd/functional/untraceable.h"
#include "autograd/runtime/view_history.h"
#include "autograd/trace/contiguous_copies.h"
#include "autograd/trace/fakes_of.h"
#include "autograd/trace/trace_symbols.h"
#include "graph/passes/freeze_placeholders.h"
#include "graph/tensors/torch_error.h"

namespace culprit::autograd {
namespace {

using c10::IValue;

/// A tensor that is a view for whoever computed it is none for the program.
backend::Values AsOwn(backend::Values values) {
  std::unordered_map<const at::TensorImpl*, at::Tensor> known;
  for (IValue& value : values) {
    if (!value.isTensor() || !value.toTensor().defined() || !value.toTensor().is_view()) continue;
    at::Tensor& own = known[value.toTensor().unsafeGetTensorImpl()];
    if (!own.defined()) own = TwinOf(value.toTensor());
    value = own;
  }
  return values;
}

void SetHistory(at::Tensor output, const c10::intrusive_ptr<CompiledBackward>& function) {
  torch::autograd::create_gradient_edge(output, function);
}

/// Of sparse and quantised tensors there are none.
backend::Values FakesOrWhyNot(const backend::Values& inputs) {
  try {
    return FakesOf(inputs);
  } catch (const c10::NotImplementedError& error) {
    throw Untraceable(error.what_without_backtrace());
  }
}

/// By placeholder, what a compiler that freezes takes for a constant; nothing if gradients are recorded.
/// Capture guards what is frozen here, by the same rules.
std::vector<bool> FrozenIn(const graph::Graph& graph, const backend::Values& inputs, bool has_backward,
                           const AutogradOptions& options) {
  if (!has_backward && AreFrozen(backend::Parameters::kFrozenForInference, inputs))
    return FreezablePlaceholders(graph, inputs);
  if (options.log)
    options.log(fmt::format("{} records gradients: its parameters are inputs, not constants", graph.name()));
  return {};
}

/// Only what is frozen has numbers.
backend::Values WithFrozen(backend::Values fakes, const backend::Values& inputs,
                           const std::vector<bool>& frozen) {
  const backend::Values detached = WithoutHistory(inputs);
  for (size_t i = 0; i < frozen.size(); ++i)
    if (frozen[i]) fakes[i] = detached[i];
  return fakes;
}

}  // namespace

Variant::Variant(const graph::Graph& graph, const backend::Values& inputs,
                 const std::shared_ptr<LowerCompiler>& compiler, const AutogradOptions& options) {
  backend::Values fakes = FakesOrWhyNot(inputs);
  Lowered lowered = Lower(graph, inputs, *options.partition);
  fixed_ = lowered.fixed;
  general_ = lowered.general;
  plan_ = lowered.traced.plan;
  mutations_ = lowered.traced.mutations;
  differentiable_ = lowered.traced.differentiable;
  differentiable_views_ = lowered.traced.differentiable_views;
  forward_outputs_ = lowered.partition.forward_outputs;
  std::vector<bool> frozen;
  if (compiler->freezes()) frozen = FrozenIn(graph, inputs, lowered.has_backward(), options);
  forward_ = compiler->Compile(lowered.partition.forward, WithFrozen(fakes, inputs, frozen), frozen);
  if (!plan_.replay.nodes().empty()) replay_ = std::make_unique<graph::Interpreter>(plan_.replay);
  if (!lowered.has_backward()) return;
  backwards_ =
      std::make_shared<Backwards>(general_ ? WithCopies(graph, general_->copies) : graph, std::move(fakes),
                                  TraceModes::Current(), std::move(lowered), compiler);
}

std::string Variant::Compare(const graph::Graph& graph, const backend::Values& inputs) const {
  try {
    return general_ ? CompareTrace(graph, inputs, std::nullopt, *general_) : "";
  } catch (const std::exception& error) {
    return graph::TorchMessage(error);
  }
}

bool Variant::IsWritten(size_t input) const {
  return std::ranges::find(mutations_, input, &Mutation::input) != mutations_.end();
}

c10::intrusive_ptr<CompiledBackward> Variant::AddHistory(const backend::Values& inputs,
                                                         const backend::Values& forward) const {
  auto function = c10::make_intrusive<CompiledBackward>(backwards_, backwards_->SymbolsIn(inputs));
  torch::autograd::edge_list edges;
  edges.reserve(backwards_->gradients().size());
  for (const size_t input : backwards_->gradients())
    edges.push_back(torch::autograd::impl::gradient_edge(inputs[input].toTensor()));
  function->set_next_edges(std::move(edges));
  for (const size_t output : differentiable_) SetHistory(forward[output].toTensor(), function);
  return function;
}

/// What backward needs, as it is before the writes of the graph arrive in its inputs.
backend::Values Variant::SavedValues(const backend::Values& inputs, const backend::Values& forward) const {
  backend::Values values;
  values.reserve(backwards_->saved().size());
  for (const SavedValue& saved : backwards_->saved()) {
    if (!saved.placeholder) {
      values.push_back(forward[forward_outputs_ + *saved.additional_output]);
    } else if (IsWritten(*saved.placeholder)) {
      values.push_back(inputs[*saved.placeholder].toTensor().detach().clone());
    } else {
      values.push_back(inputs[*saved.placeholder]);
    }
  }
  return values;
}

/// What an input has become is saved as that input, as autograd does: who writes into it later is told so.
void Variant::Save(CompiledBackward& function, const backend::Values& values, const backend::Values& inputs,
                   const backend::Values& forward) const {
  for (const IValue& value : values) {
    const auto mutation = std::ranges::find_if(mutations_, [&](const Mutation& each) {
      return each.kind != Mutation::Kind::kSilent && value.isTensor() && forward[each.output].is(value);
    });
    if (mutation != mutations_.end()) {
      function.Save(inputs[mutation->input].toTensor().detach(), false);
    } else {
      function.Save(value, value.isTensor() && value.toTensor().grad_fn().get() == &function);
    }
  }
}

void Variant::CopyBack(const backend::Values& inputs, const backend::Values& forward) const {
  for (const Mutation& mutation : mutations_) {
    const at::Tensor& input = inputs[mutation.input].toTensor();
    const at::Tensor& value = forward[mutation.output].toTensor();
    if (mutation.kind != Mutation::Kind::kSilent) {
      input.detach().copy_(value.detach());
      // As if the function had written it: behind a copy its old history would get zeros.
      if (mutation.kind == Mutation::Kind::kOpen)
        torch::autograd::impl::set_gradient_edge(input, torch::autograd::impl::gradient_edge(value));
    } else {
      const at::AutoDispatchBelowADInplaceOrView unnoticed;
      input.copy_(value);
    }
  }
}

backend::Values Variant::Replayed(const backend::Values& inputs, const backend::Values& forward,
                                  const c10::intrusive_ptr<CompiledBackward>& function) const {
  if (!replay_) return {};
  backend::Values given = inputs;
  given.insert(given.end(), forward.begin(),
               forward.begin() + static_cast<std::ptrdiff_t>(plan_.forward.size()));
  backend::Values replayed = replay_->Run(std::move(given));
  for (const size_t index : differentiable_views_) {
    const at::Tensor& view = replayed[index].toTensor();
    // What was detached and then written has a history of its own.
    if (view.grad_fn()) {
      ViewHistory::Set(view, function);
    } else {
      SetHistory(view, function);
    }
  }
  return replayed;
}

/// Without gradients there is no function.
backend::Values Variant::Outputs(const backend::Values& inputs, const backend::Values& forward,
                                 const c10::intrusive_ptr<CompiledBackward>& function) const {
  const backend::Values replayed = Replayed(inputs, forward, function);
  backend::Values outputs;
  outputs.reserve(plan_.outputs.size());
  for (const OutputSource& output : plan_.outputs) {
    switch (output.kind) {
      case OutputSource::Kind::kForward:
        outputs.push_back(forward[output.index]);
        break;
      case OutputSource::Kind::kInput:
        outputs.push_back(inputs[output.index]);
        break;
      case OutputSource::Kind::kReplayed:
        outputs.push_back(replayed[output.index]);
        break;
      case OutputSource::Kind::kConstant:
        outputs.push_back(output.constant);
        break;
    }
  }
  return outputs;
}

backend::Values Variant::Call(const backend::Values& inputs) const {
  const backend::Values forward = AsOwn(forward_->Call(WithoutHistory(inputs)));
  if (!backwards_) {
    CopyBack(inputs, forward);
    return Outputs(inputs, forward, nullptr);
  }
  const c10::intrusive_ptr<CompiledBackward> function = AddHistory(inputs, forward);
  const backend::Values saved = SavedValues(inputs, forward);
  CopyBack(inputs, forward);
  Save(*function, saved, inputs, forward);
  return Outputs(inputs, forward, function);
}

}  // namespace culprit::autograd
