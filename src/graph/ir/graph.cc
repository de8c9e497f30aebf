// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/graph.h"

#include <ATen/ops/equal.h>

#include <cstring>

#include "base/internal_error.h"

namespace culprit::graph {

bool WritesInto(const Node& node, size_t argument) {
  if (!node.op->writes(argument)) return false;
  const std::optional<size_t>& decider = node.op->write_switch();
  return !decider || !(node.arguments[*decider] == Argument(c10::IValue(false)));
}

ValueId Graph::AddValue(Value value) {
  values_.push_back(std::move(value));
  return ValueId(values_.size() - 1);
}

ValueId Graph::AddPlaceholder(std::string name, PlaceholderKind kind, ValueKind value_kind) {
  const auto index = static_cast<uint32_t>(placeholders_.size());
  const ValueId id = AddValue({std::move(name), value_kind, Origin::kPlaceholder, index});
  placeholders_.push_back({id, kind});
  return id;
}

ValueId Graph::AddConstant(std::string name, at::Tensor tensor, at::Device device) {
  const auto index = static_cast<uint32_t>(constants_.size());
  const ValueId id = AddValue({std::move(name), ValueKind::kTensor, Origin::kConstant, index});
  constants_.push_back({id, std::move(tensor), device});
  return id;
}

const Node& Graph::AddNode(const Operator& op, std::vector<Argument> arguments,
                           std::vector<std::string> result_names, ModelLine model_line) {
  CULPRIT_CHECK(op.results().has_value(), "{} returns what a graph cannot hold", op.qualified_name());
  CULPRIT_CHECK(arguments.size() == op.slots().size(), "{} takes {} arguments, not {}", op.qualified_name(),
                op.slots().size(), arguments.size());
  CULPRIT_CHECK(result_names.size() == op.results()->size(), "{} has {} results, not {}", op.qualified_name(),
                op.results()->size(), result_names.size());
  const auto index = static_cast<uint32_t>(nodes_.size());
  Node node{&op, std::move(arguments), {}, std::move(model_line)};
  for (uint32_t i = 0; i < result_names.size(); ++i) {
    node.results.push_back(
        AddValue({std::move(result_names[i]), (*op.results())[i], Origin::kNode, index, i}));
  }
  nodes_.push_back(std::move(node));
  return nodes_.back();
}

namespace {

bool SameValue(const Value& a, const Value& b) {
  return a.name == b.name && a.kind == b.kind && a.origin == b.origin && a.origin_index == b.origin_index &&
         a.result_index == b.result_index;
}

bool SameNode(const Node& a, const Node& b) {
  return a.op == b.op && a.arguments == b.arguments && a.results == b.results;
}

}  // namespace

bool Graph::operator==(const Graph& other) const {
  const auto same_placeholder = [](const Placeholder& a, const Placeholder& b) {
    return a.value == b.value && a.kind == b.kind && a.symbols == b.symbols;
  };
  const auto same_constant = [](const TensorConstant& a, const TensorConstant& b) {
    return a.value == b.value && a.device == b.device && SameTensor(a.tensor, b.tensor);
  };
  return name_ == other.name_ &&
         std::equal(values_.begin(), values_.end(), other.values_.begin(), other.values_.end(), SameValue) &&
         std::equal(placeholders_.begin(), placeholders_.end(), other.placeholders_.begin(),
                    other.placeholders_.end(), same_placeholder) &&
         std::equal(constants_.begin(), constants_.end(), other.constants_.begin(), other.constants_.end(),
                    same_constant) &&
         std::equal(nodes_.begin(), nodes_.end(), other.nodes_.begin(), other.nodes_.end(), SameNode) &&
         outputs_ == other.outputs_;
}

bool SameTensor(const at::Tensor& a, const at::Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined() || a.is_same(b)) return true;
  if (a.dtype() != b.dtype() || a.device() != b.device() || a.layout() != b.layout()) return false;
  if (a.sizes() != b.sizes()) return false;
  if (a.layout() != at::kStrided || a.is_quantized()) return at::equal(a, b);
  if (a.strides() != b.strides()) return false;
  const at::Tensor x = a.detach().cpu().resolve_conj().resolve_neg().contiguous();
  const at::Tensor y = b.detach().cpu().resolve_conj().resolve_neg().contiguous();
  return x.nbytes() == 0 || std::memcmp(x.data_ptr(), y.data_ptr(), x.nbytes()) == 0;
}

}  // namespace culprit::graph
