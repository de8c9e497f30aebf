// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/splice.h"

#include "base/internal_error.h"
#include "graph/ir/bind.h"
#include "graph/ir/fresh_names.h"
#include "graph/ir/rebuild.h"
#include "graph/run/interpreter.h"
#include "graph/run/recording.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::tests {
namespace {

using graph::Argument;
using graph::Graph;
using graph::Node;
using graph::ValueId;
using minify::Program;

/// Of what goes in and out, so that the numbers of both stay what they were.
constexpr double kShare = 1e-3;

Argument Number(auto value) {
  return Argument(c10::IValue(value));
}

int64_t LargestInput(const Program& program) {
  int64_t largest = 1;
  for (const c10::IValue& input : program.inputs) largest = std::max(largest, input.toTensor().numel());
  return largest;
}

std::vector<bool> UsedValues(const Graph& graph) {
  std::vector<bool> used(graph.values().size());
  for (const Node& node : graph.nodes()) {
    for (const Argument& argument : node.arguments)
      ForEachValue(argument, [&](ValueId id) { used[Index(id)] = true; });
  }
  return used;
}

class Splicer {
 public:
  Splicer(const Program& model, const Program& small, double share)
      : model_(model), small_(small), share_(share), rebuild_(model.graph), names_(model.graph) {}

  Program Make() {
    const size_t place =
        NodeWithRoom(model_, static_cast<size_t>(share_ * static_cast<double>(model_.graph.nodes().size())),
                     LargestInput(small_));
    rebuild_.CopyPlaceholders();
    AddInputs();
    rebuild_.CopyConstants();
    for (size_t i = 0; i < model_.graph.nodes().size(); ++i) {
      rebuild_.CopyNode(model_.graph.nodes()[i]);
      if (i == place) Insert(model_.graph.nodes()[i].results[0]);
    }
    rebuild_.CopyOutputs();
    Program spliced{std::move(rebuild_).Take(), model_.inputs};
    spliced.inputs.insert(spliced.inputs.end(), small_.inputs.begin(), small_.inputs.end());
    std::vector<Argument> outputs;
    for (const Argument& output : small_.graph.outputs()) outputs.push_back(InNewGraph(output));
    outputs.insert(outputs.end(), spliced.graph.outputs().begin(), spliced.graph.outputs().end());
    spliced.graph.SetOutputs(std::move(outputs));
    return spliced;
  }

 private:
  Argument Call(std::string_view op_name, std::vector<Argument> positional,
                std::vector<std::pair<std::string, Argument>> keyword = {}) {
    const graph::Operator& op = graph::Operator::Get(op_name);
    auto arguments = graph::BindArguments(rebuild_.graph(), op, {std::move(positional), std::move(keyword)});
    return rebuild_.graph().AddNode(op, *std::move(arguments), {names_.Derive("spliced")}).results[0];
  }

  Argument InNewGraph(const Argument& argument) const {
    return MapValues(argument, [&](ValueId id) { return values_.at(Index(id)); });
  }

  void AddInputs() {
    CULPRIT_CHECK(small_.graph.constants().empty(), "constants are not spliced");
    values_.resize(small_.graph.values().size());
    for (const graph::Placeholder& placeholder : small_.graph.placeholders()) {
      const graph::Value& value = small_.graph.value(placeholder.value);
      values_[Index(placeholder.value)] =
          rebuild_.graph().AddPlaceholder(names_.Derive(value.name), placeholder.kind, value.kind);
    }
  }

  void Insert(ValueId model_value) {
    for (size_t i = 0; i < small_.inputs.size(); ++i) {
      const graph::Placeholder& placeholder = small_.graph.placeholders()[i];
      if (placeholder.kind != graph::PlaceholderKind::kInput) continue;
      Argument& value = values_[Index(placeholder.value)];
      value = WithShareOf(rebuild_.Map(model_value), value, small_.inputs[i].toTensor());
    }
    for (const Node& node : small_.graph.nodes()) Copy(node);
    const std::vector<c10::IValue> outputs =
        graph::Interpreter(small_.graph).Run(graph::CopyAll(small_.inputs));
    for (size_t i = 0; i < outputs.size(); ++i) {
      Argument output = InNewGraph(small_.graph.outputs()[i]);
      if (outputs[i].toTensor().scalar_type() != at::kFloat)
        output = Call("aten::_to_copy", {output}, {{"dtype", Number(static_cast<int64_t>(at::kFloat))}});
      const Argument mean = Call("aten::mean", {output});
      rebuild_.Replace(model_value, Call("aten::add.Tensor", {rebuild_.Map(model_value), mean},
                                         {{"alpha", Number(kShare)}}));
    }
  }

  /// Booleans stay what they are, since no activation is that large.
  Argument WithShareOf(const Argument& activation, const Argument& own, const at::Tensor& input) {
    const Argument flat = Call("aten::reshape", {activation, Argument::Ints({-1})});
    const Argument piece =
        Call("aten::narrow", {flat, Number(int64_t{0}), Number(int64_t{0}), Number(input.numel())});
    const Argument shaped = Call("aten::reshape", {piece, Argument::Ints(input.sizes().vec())});
    if (input.scalar_type() == at::kBool)
      return Call("aten::logical_xor", {own, Call("aten::gt.Scalar", {shaped, Number(1e9)})});
    // The gradient of a complex sum is complex: TorchScript would hand it to the model's float32.
    const Argument share = input.is_complex() ? Call("aten::detach", {shaped}) : shaped;
    return Call("aten::add.Tensor", {own, share}, {{"alpha", Number(kShare)}});
  }

  void Copy(const Node& node) {
    std::vector<Argument> arguments;
    for (const Argument& argument : node.arguments) arguments.push_back(InNewGraph(argument));
    std::vector<std::string> names;
    for (const ValueId result : node.results) names.push_back(names_.Derive(small_.graph.value(result).name));
    const Node& copy = rebuild_.graph().AddNode(*node.op, std::move(arguments), std::move(names));
    for (size_t i = 0; i < node.results.size(); ++i) values_[Index(node.results[i])] = copy.results[i];
  }

  const Program& model_;
  const Program& small_;
  const double share_;
  graph::Rebuild rebuild_;
  graph::FreshNames names_;
  /// By value of the small graph.
  std::vector<Argument> values_;
};

}  // namespace

size_t NodeWithRoom(const Program& program, size_t from, int64_t numel) {
  const std::vector<bool> used = UsedValues(program.graph);
  const graph::Recording recording =
      graph::Record(program.graph, graph::CopyAll(program.inputs), std::vector<ValueId>{});
  const size_t count = program.graph.nodes().size();
  const auto has_room = [&](const Node& node) {
    const ValueId result = node.results.at(0);
    const graph::RecordedValue& recorded = recording.value(result);
    if (recorded.is_list || !recorded.items.at(0).object || !used[Index(result)]) return false;
    const graph::Geometry& geometry = recording.StateOf(*recorded.items[0].object, recorded.since).geometry;
    return geometry.dtype == at::kFloat && c10::multiply_integers(geometry.sizes) >= numel;
  };
  size_t place = from;
  while (place < count && !has_room(program.graph.nodes()[place])) ++place;
  CULPRIT_CHECK(place < count, "no tensor in the model has {} elements", numel);
  return place;
}

Program Splice(const Program& model, const Program& small, double share) {
  return Splicer(model, small, share).Make();
}

}  // namespace culprit::tests
