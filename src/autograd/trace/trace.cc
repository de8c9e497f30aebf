// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/trace.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/variable.h>

#include <unordered_set>

#include "autograd/functional/functional_variant.h"
#include "autograd/functional/functional_writer.h"
#include "autograd/functional/untraceable.h"
#include "autograd/trace/arrivals.h"
#include "autograd/trace/backward_lines.h"
#include "autograd/trace/fakes_of.h"
#include "autograd/trace/graph_symbols.h"
#include "graph/run/interpreter.h"

namespace culprit::autograd {
namespace {

using c10::IValue;
using graph::Argument;
using graph::fake::Mode;
using torch::autograd::impl::gradient_edge;

/// Casts that autocast keeps for weights are not for whoever comes next.
class AutocastScope {
 public:
  AutocastScope() = default;
  AutocastScope(const AutocastScope&) = delete;
  ~AutocastScope() {
    if (at::autocast::is_autocast_enabled(at::kCPU)) at::autocast::clear_cache();
  }
};

/// Keeps what every value was, and says which line of the model the operators below come from.
class ForwardObserver : public graph::Observer {
 public:
  ForwardObserver(const graph::Graph& graph, TracedGraph& traced, BackwardLines& lines)
      : graph_(graph), traced_(traced), lines_(lines), fakes_(graph.values().size()) {}

  void Before(graph::NodeId node, const torch::jit::Stack& arguments) override {
    RefuseNewHistory(*graph_.node(node).op, arguments);
    traced_.SetLine(graph_.node(node).model_line);
    lines_.Begin(graph_.node(node).model_line);
  }
  void After(graph::NodeId node, const torch::jit::Stack& results) override {
    const std::vector<graph::ValueId>& values = graph_.node(node).results;
    for (size_t i = 0; i < values.size(); ++i) fakes_[Index(values[i])] = results[i];
  }

  std::vector<IValue>& fakes() { return fakes_; }

 private:
  /// An input that is detached in place is so for the caller too.
  void RefuseNewHistory(const graph::Operator& op, const torch::jit::Stack& arguments) const {
    if (!op.writes_any() || FunctionalVariantOf(op).kind != FunctionalVariant::Kind::kNothing) return;
    for (const graph::Placeholder& placeholder : graph_.placeholders()) {
      if (arguments[0].is(fakes_[Index(placeholder.value)]))
        throw Untraceable(fmt::format("{} changes the history of {}", op.qualified_name(),
                                      graph_.value(placeholder.value).name));
    }
  }

  const graph::Graph& graph_;
  TracedGraph& traced_;
  BackwardLines& lines_;
  std::vector<IValue> fakes_;
};

class Tracer {
 public:
  Tracer(const graph::Graph& graph, const std::vector<IValue>& inputs)
      : graph_(graph), writer_(world_), observer_(graph, writer_.graph(), lines_) {
    if (HasSymbols(graph)) writer_.graph().KeepNumbers();
    for (size_t i = 0; i < inputs.size(); ++i) AddInput(graph.placeholders()[i], inputs[i]);
  }

  Traced Run(const std::optional<TangentLayouts>& tangents) {
    RunForward();
    traced_.plan = PlanOutputs(graph_, observer_.fakes());
    std::vector<at::Tensor> forward;
    for (const graph::ValueId id : traced_.plan.forward)
      forward.push_back(observer_.fakes()[Index(id)].toTensor());
    FindMutations(forward);
    std::vector<Argument> outputs;
    outputs.reserve(forward.size());
    for (const at::Tensor& output : forward) outputs.push_back(writer_.ValueOf(output));
    traced_.joint.forward_outputs = outputs.size();
    traced_.joint.forward_nodes = writer_.graph().graph().nodes().size();
    AddRoots(forward);
    AddTangents(tangents);
    const std::vector<std::vector<Argument>> gradients = RunBackward();
    for (size_t i = 0; i < gradients.size(); ++i) {
      traced_.gradients.insert(traced_.gradients.end(), gradients[i].size(), i);
      outputs.insert(outputs.end(), gradients[i].begin(), gradients[i].end());
    }
    traced_.joint.graph = writer_.graph().Take(graph_.name(), std::move(outputs));
    traced_.joint.bytes = writer_.graph().bytes();
    traced_.joint.sizes = writer_.graph().sizes();
    traced_.copies = FindCopies();
    traced_.fallbacks = world_.fallbacks();
    return std::move(traced_);
  }

 private:
  void AddInput(const graph::Placeholder& placeholder, const IValue& input) {
    const graph::Value& value = graph_.value(placeholder.value);
    IValue fake = input;
    if (input.isTensor() && input.toTensor().defined()) {
      const Mode mode(world_);
      const at::Tensor& tensor = input.toTensor();
      fake = FakeOfInput(world_, tensor, tensor.requires_grad() && at::GradMode::is_enabled());
    }
    writer_.AddPlaceholder(value.name, placeholder.kind, value.kind, fake);
    places_.push_back(fake.isTensor() && fake.toTensor().defined() ? TwinOf(fake.toTensor()) : at::Tensor());
    edges_.push_back(fake.isTensor() && fake.toTensor().requires_grad() ? gradient_edge(fake.toTensor())
                                                                        : torch::autograd::Edge());
    inputs_.push_back(fake);
    observer_.fakes()[Index(placeholder.value)] = fake;
  }

  void RunForward() {
    for (const graph::TensorConstant& constant : graph_.constants())
      observer_.fakes()[Index(constant.value)] = constant.tensor;
    const graph::Interpreter interpreter(graph_);
    const Mode mode(world_, &writer_);
    interpreter.Run(inputs_, &observer_);
    writer_.graph().SetLine(nullptr);
    lines_.Begin(nullptr);
  }

  void FindMutations(std::vector<at::Tensor>& forward) {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!places_[i].defined()) continue;
      const at::Tensor& fake = inputs_[i].toTensor();
      if (fake.sizes() != places_[i].sizes() || fake.strides() != places_[i].strides() ||
          fake.storage_offset() != places_[i].storage_offset())
        throw Untraceable(fmt::format("input {} lies otherwise in memory afterwards", i));
      const Written how = writer_.WrittenInto(fake);
      if (how == Written::kNot) continue;
      traced_.mutations.push_back({i, forward.size(), KindOf(how, i)});
      forward.push_back(fake);
    }
  }

  std::set<graph::NodeId> FindCopies() {
    static const graph::Operator& contiguous = graph::Operator::Get("aten::contiguous");
    std::set<graph::NodeId> copies;
    for (size_t i = 0; i < graph_.nodes().size(); ++i) {
      const graph::Node& node = graph_.nodes()[i];
      if (node.op != &contiguous || !node.arguments[0].is_value()) continue;
      const IValue& given = observer_.fakes()[Index(node.arguments[0].value())];
      if (!observer_.fakes()[Index(node.results[0])].is(given)) copies.insert(graph::NodeId(i));
    }
    return copies;
  }

  Mutation::Kind KindOf(Written how, size_t input) const {
    if (how == Written::kSilently) return Mutation::Kind::kSilent;
    return HasOldHistory(input) ? Mutation::Kind::kWithoutHistory : Mutation::Kind::kOpen;
  }

  bool HasOldHistory(size_t input) const {
    const at::Tensor& fake = inputs_[input].toTensor();
    if (!fake.requires_grad()) return !edges_[input].is_valid();
    const torch::autograd::Edge edge = gradient_edge(fake);
    return edge.function == edges_[input].function && edge.input_nr == edges_[input].input_nr;
  }

  at::Tensor TangentFor(const at::Tensor& root, const graph::sizes::Layout& layout) {
    const Mode mode(world_);
    return at::empty_strided(root.sizes(), layout.StridesFor(root.sizes()), root.options());
  }

  /// What gradients are given for, and whether anybody has one unless views are written.
  struct Root {
    at::Tensor tensor;
    bool is_hidden = false;
  };

  void AddRoots(const std::vector<at::Tensor>& forward) {
    std::vector<Root> views;
    std::unordered_set<const c10::StorageImpl*> viewed;
    for (size_t i = 0; i < traced_.plan.replayed.size(); ++i) {
      const at::Tensor& view = observer_.fakes()[Index(traced_.plan.replayed[i])].toTensor();
      if (!view.requires_grad()) continue;
      // What autograd thinks of it depends on who asks first.
      if (view.is_leaf()) throw Untraceable("an output is a view that is older than its history");
      traced_.differentiable_views.push_back(i);
      views.push_back({view});
      viewed.insert(view.storage().unsafeGetStorageImpl());
    }
    for (size_t i = 0; i < traced_.plan.forward.size(); ++i) {
      const bool is_hidden = traced_.plan.is_hidden[i];
      if (!forward[i].requires_grad()) continue;
      if (is_hidden && !viewed.contains(forward[i].storage().unsafeGetStorageImpl())) continue;
      traced_.differentiable.push_back(i);
      roots_.push_back({forward[i], is_hidden});
    }
    for (const Mutation& mutation : traced_.mutations) {
      if (mutation.kind != Mutation::Kind::kOpen) continue;
      traced_.differentiable.push_back(mutation.output);
      roots_.push_back({forward[mutation.output]});
    }
    roots_.insert(roots_.end(), views.begin(), views.end());
  }

  void AddTangents(const std::optional<TangentLayouts>& tangents) {
    for (size_t k = 0; k < roots_.size(); ++k) {
      const at::Tensor& root = roots_[k].tensor;
      std::optional<graph::sizes::Layout> layout;
      if (tangents) {
        layout = (*tangents)[k];
      } else if (!roots_[k].is_hidden) {
        layout = graph::sizes::Layout::Of(root.sizes(), root.strides());
      }
      const at::Tensor tangent = layout ? TangentFor(root, *layout) : at::Tensor();
      writer_.AddPlaceholder(fmt::format("tangent_{}", k), graph::PlaceholderKind::kInput,
                             graph::ValueKind::kTensor, tangent);
      traced_.tangents.push_back(tangent);
    }
    traced_.joint.tangents = roots_.size();
  }

  /// What arrives at each input, in the order of arrival.
  std::vector<std::vector<Argument>> RunBackward() {
    std::vector<std::vector<Argument>> gradients(inputs_.size());
    torch::autograd::edge_list roots;
    torch::autograd::variable_list given;
    for (size_t k = 0; k < traced_.tangents.size(); ++k) {
      if (!traced_.tangents[k].defined()) continue;
      roots.push_back(gradient_edge(roots_[k].tensor));
      given.push_back(traced_.tangents[k]);
    }
    if (roots.empty()) return gradients;
    torch::autograd::edge_list wanted;
    std::vector<size_t> inputs;
    for (size_t i = 0; i < edges_.size(); ++i) {
      if (!edges_[i].is_valid()) continue;
      wanted.push_back(edges_[i]);
      inputs.push_back(i);
    }
    if (wanted.empty()) throw Untraceable("a gradient is for something that is no input");
    ListenAt(wanted, roots, [&](size_t edge, const at::Tensor& gradient) {
      gradients[inputs[edge]].push_back(writer_.ValueOf(gradient));
    });
    const Mode mode(world_, &writer_);
    const BackwardLines::Scope scope(lines_, [this](std::optional<graph::ModelLine> line) {
      // What is done with a function's gradients belongs to it, too.
      if (line) writer_.graph().SetLine(*line);
    });
    torch::autograd::Engine::get_default_engine().execute(
        roots, given, /*keep_graph=*/false, /*create_graph=*/false, /*accumulate_grad=*/false, wanted);
    return gradients;
  }

  const graph::Graph& graph_;
  graph::fake::World world_;
  FunctionalWriter writer_;
  BackwardLines lines_;
  ForwardObserver observer_;
  std::vector<IValue> inputs_;
  /// Where they lie in the beginning.
  std::vector<at::Tensor> places_;
  torch::autograd::edge_list edges_;
  /// In the order of the tangents.
  std::vector<Root> roots_;
  Traced traced_;
};

}  // namespace

Traced Trace(const graph::Graph& graph, const std::vector<IValue>& inputs,
             const std::optional<TangentLayouts>& tangents) {
  const AutocastScope autocast;
  return Tracer(graph, inputs).Run(tangents);
}

}  // namespace culprit::autograd
