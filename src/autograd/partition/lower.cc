// SPDX-License-Identifier: Apache-2.0
#include "autograd/partition/lower.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty_strided.h>
#include <fmt/format.h>

#include <algorithm>

#include "autograd/functional/untraceable.h"
#include "autograd/joint/simplify.h"
#include "autograd/trace/graph_symbols.h"
#include "autograd/trace/trace_modes.h"
#include "autograd/trace/trace_symbols.h"
#include "base/internal_error.h"
#include "graph/fake/data_dependent.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/generator_scope.h"
#include "graph/tensors/torch_error.h"

namespace culprit::autograd {
namespace {

using c10::IValue;

/// Autograd makes a new history for a view that is written, of what is made for its base: gradients of both
/// meet in another order than they would behind one function, and nothing shows that if the write is behind
/// autograd's back.
void CheckViews(const backend::Values& inputs, const std::vector<Mutation>& mutations) {
  for (const Mutation& mutation : mutations) {
    const at::Tensor& input = inputs[mutation.input].toTensor();
    const bool has_gradients = mutation.kind == Mutation::Kind::kOpen || input.requires_grad();
    if (mutation.kind != Mutation::Kind::kSilent && has_gradients && input.is_view())
      throw Untraceable(fmt::format("input {}, a view with gradients, is written", mutation.input));
  }
}

/// A graph that fails does so when it runs, with the text that it has there.
Traced TraceOrSayWhyNot(const graph::Graph& graph, const backend::Values& inputs, std::string& fixed) {
  try {
    return TraceSymbols(graph, inputs, std::nullopt, fixed);
  } catch (const base::InternalError&) {
    throw;
  } catch (const Untraceable&) {
    throw;
  } catch (const graph::fake::DataDependent& dependent) {
    throw Untraceable(dependent.op() + " depends on data");
  } catch (const std::exception& error) {
    throw Untraceable(graph::TorchMessage(error));
  }
}

void NameInference(graph::Graph& graph) {
  constexpr std::string_view kForward = "forward";
  std::string name = graph.name();
  if (name.ends_with(kForward)) name.replace(name.size() - kForward.size(), kForward.size(), "inference");
  graph.set_name(std::move(name));
}

}  // namespace

Lowered Lower(const graph::Graph& graph, const backend::Values& inputs, const PartitionMode& mode) {
  Lowered lowered;
  lowered.traced = TraceOrSayWhyNot(graph, inputs, lowered.fixed);
  CheckViews(inputs, lowered.traced.mutations);
  if (HasSymbols(graph) && lowered.fixed.empty())
    lowered.general = std::make_shared<const Traced>(lowered.traced);
  lowered.traced.joint = Simplify(lowered.traced.joint);
  lowered.partition = Split(lowered.traced.joint, mode);
  if (!lowered.has_backward()) NameInference(lowered.partition.forward);
  return lowered;
}

backend::Values WithoutHistory(const backend::Values& inputs) {
  backend::Values detached;
  detached.reserve(inputs.size());
  for (const IValue& input : inputs) {
    const bool has_history = input.isTensor() && input.toTensor().requires_grad();
    detached.push_back(has_history ? IValue(input.toTensor().detach()) : input);
  }
  return detached;
}

graph::Graph Lifted(graph::Graph graph, const std::vector<bool>& frozen) {
  for (size_t i = 0; i < graph.placeholders().size(); ++i)
    if (frozen.empty() || !frozen[i]) graph.SetPlaceholderKind(i, graph::PlaceholderKind::kInput);
  const bool is_clean = std::ranges::none_of(graph.constants(), [](const graph::TensorConstant& constant) {
    return constant.tensor.requires_grad();
  });
  CULPRIT_CHECK(is_clean, "{} has a parameter inside", graph.name());
  return graph;
}

backend::Values ExampleForBackward(const Lowered& lowered, const backend::Values& inputs, uint64_t seed) {
  const BelowAutograd below;
  const graph::GeneratorScope keep_random_numbers;
  const Partition& partition = lowered.partition;
  const backend::Values forward = graph::Interpreter(partition.forward).Run(WithoutHistory(inputs));
  backend::Values given;
  for (const SavedValue& saved : partition.saved) {
    given.push_back(saved.placeholder ? WithoutHistory({inputs[*saved.placeholder]})[0]
                                      : forward[partition.forward_outputs + *saved.additional_output]);
  }
  at::Generator generator = at::detail::createCPUGenerator(seed);
  for (size_t i = 0; i < lowered.traced.tangents.size(); ++i) {
    const at::Tensor& known = lowered.traced.tangents[i];
    const at::Tensor& like = known.defined() ? known : forward[lowered.traced.differentiable[i]].toTensor();
    given.emplace_back(
        at::empty_strided(like.sizes(), like.strides(), like.options()).normal_(0, 1, generator));
  }
  return given;
}

}  // namespace culprit::autograd
