// SPDX-License-Identifier: Apache-2.0
#include "autograd/functional/traced_graph.h"

#include <ATen/core/LegacyTypeDispatch.h>

#include "autograd/functional/untraceable.h"
#include "base/internal_error.h"
#include "graph/fake/mode.h"
#include "graph/ir/bind.h"

namespace culprit::autograd {
namespace {

using c10::IValue;
using graph::Argument;

const void* IdentityOf(const IValue& value) {
  if (value.isTensor()) return value.toTensor().unsafeGetTensorImpl();
  return value.toGenerator().unsafeGetGeneratorImpl();
}

/// Of a tensor that has memory.
at::Scalar NumberIn(const at::Tensor& real) {
  const c10::impl::ExcludeDispatchKeyGuard no_fakes(c10::DispatchKey::Fake);
  const at::AutoDispatchBelowADInplaceOrView no_autograd;
  return real.item();
}

at::Tensor CopyOf(const at::Tensor& real) {
  const c10::impl::ExcludeDispatchKeyGuard no_fakes(c10::DispatchKey::Fake);
  const at::AutoDispatchBelowADInplaceOrView no_autograd;
  return real.clone();
}

}  // namespace

void TracedGraph::Know(const at::Tensor& fake, graph::ValueId value) {
  known_.insert_or_assign(fake.unsafeGetTensorImpl(), value);
  alive_.emplace_back(fake);
  bytes_.resize(graph_.values().size());
  bytes_[Index(value)] = static_cast<int64_t>(fake.numel() * fake.itemsize());
  sizes_.resize(graph_.values().size());
  sizes_[Index(value)] = fake.sizes().vec();
}

void TracedGraph::AddPlaceholder(const std::string& name, graph::PlaceholderKind kind,
                                 graph::ValueKind value_kind, const IValue& value) {
  const graph::ValueId id = graph_.AddPlaceholder(names_.Get(name), kind, value_kind);
  if (value.isTensor() && value.toTensor().defined()) return Know(value.toTensor(), id);
  if (!value.isGenerator()) return;
  known_.emplace(IdentityOf(value), id);
  alive_.push_back(value);
}

Argument TracedGraph::ConstantOf(const at::Tensor& real) {
  if (real.unsafeGetTensorImpl()->is_wrapped_number()) return Argument(IValue(NumberIn(real)));
  const auto known = known_.find(IdentityOf(real));
  if (known != known_.end()) return known->second;
  if (real.requires_grad()) throw Untraceable("a parameter is used that is no input");
  const graph::ValueId value = graph_.AddConstant(names_.Get("constant"), CopyOf(real));
  Know(real, value);
  return value;
}

Argument TracedGraph::ValueOf(const at::Tensor& known) {
  if (!known.defined()) return {};
  if (!graph::fake::World::IsFake(known)) return ConstantOf(known);
  // As a tensor it would decide on dtypes.
  const auto number = numbers_.find(IdentityOf(known));
  if (number != numbers_.end() && known.unsafeGetTensorImpl()->is_wrapped_number()) return number->second;
  const auto found = known_.find(IdentityOf(known));
  CULPRIT_CHECK(found != known_.end(), "a fake of sizes {} has no value", c10::str(known.sizes()));
  return found->second;
}

Argument TracedGraph::ArgumentOf(const IValue& value) {
  if (value.isTensor()) return ValueOf(value.toTensor());
  if (value.isGenerator()) {
    const auto found = known_.find(IdentityOf(value));
    if (found == known_.end()) throw Untraceable("it draws from a generator that is no input");
    return found->second;
  }
  if (!value.isList()) return Argument(value);
  Argument::List list;
  for (const IValue& element : value.toListRef()) list.push_back(ArgumentOf(element));
  return Argument(std::move(list));
}

void TracedGraph::KnowElements(const IValue& list, graph::ValueId value) {
  static const graph::Operator& get_item = graph::Operator::Get("python::getitem.Tensor");
  int64_t index = 0;
  for (const IValue& element : list.toListRef()) {
    const graph::Node& node = graph_.AddNode(get_item, {Argument(value), Argument(IValue(index++))},
                                             {names_.Get("getitem")}, line_);
    Know(element.toTensor(), node.results[0]);
  }
}

void TracedGraph::AddNode(const graph::Operator& op, c10::ArrayRef<IValue> arguments,
                          c10::ArrayRef<IValue> results) {
  if (!op.results()) throw Untraceable(op.qualified_name() + " returns what a graph cannot hold");
  std::vector<Argument> bound;
  bound.reserve(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::optional<Argument> argument = graph::Conform(graph_, op.slots()[i], ArgumentOf(arguments[i]));
    if (!argument)
      throw Untraceable(op.qualified_name() + " is called with a " + arguments[i].tagKind() + " as " +
                        op.schema().arguments()[i].name());
    bound.push_back(std::move(*argument));
  }
  if (op.name() == "aten::scalar_tensor") numbers_.insert_or_assign(IdentityOf(results[0]), bound[0]);
  std::vector<std::string> names;
  for (size_t i = 0; i < results.size(); ++i) names.push_back(names_.Get(op.plain_name()));
  const std::vector<graph::ValueId> values =
      graph_.AddNode(op, std::move(bound), std::move(names), line_).results;
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].isTensor() && results[i].toTensor().defined()) Know(results[i].toTensor(), values[i]);
    if (results[i].isTensorList()) KnowElements(results[i], values[i]);
  }
}

torch::jit::Stack TracedGraph::Emit(const graph::Operator& op, const torch::jit::Stack& arguments) {
  const graph::fake::Mode mode(world_);
  const at::AutoDispatchBelowADInplaceOrView no_autograd;
  torch::jit::Stack stack = arguments;
  op.Call(stack);
  AddNode(op, arguments, stack);
  return stack;
}

at::Tensor TracedGraph::Emit(const char* op, const torch::jit::Stack& arguments) {
  return Emit(graph::Operator::Get(op), arguments)[0].toTensor();
}

graph::Graph TracedGraph::Take(std::string name, std::vector<Argument> outputs) {
  graph_.set_name(std::move(name));
  graph_.SetOutputs(std::move(outputs));
  bytes_.resize(graph_.values().size());
  sizes_.resize(graph_.values().size());
  return std::move(graph_);
}

}  // namespace culprit::autograd
