// SPDX-License-Identifier: Apache-2.0
#include "capture/walk/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/internal_error.h"
#include "capture/breaks/breaks.h"
#include "capture/guards/aliasing.h"
#include "capture/numbers/known_tensors.h"
#include "graph/ir/bind.h"

namespace culprit::capture {
namespace {

using c10::IValue;
using graph::Argument;

/// "self.layers.0.weight" => "self_layers_0_weight"
std::string IdentifierFrom(const std::string& text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? "value_" + name : name;
}

}  // namespace

std::string Recorder::FreshName(const std::string& wish) {
  return names_.Get(IdentifierFrom(wish));
}

void Recorder::Know(const IValue& tensor, Known known) {
  if (!known.element && tensor.isTensor()) {
    sizes_.resize(graph_.values().size());
    sizes_[Index(known.value)] = tensor.toTensor().sizes().vec();
  }
  known_.insert_or_assign(IdentityOf(tensor), known);
  alive_.push_back(tensor);
}

graph::ValueId Recorder::AddPlaceholder(const IValue& value) {
  const std::optional<SourceId> id = shadow_->SourceOf(value);
  if (!id) throw BreakRequest(BreakKind::kUncapturedArguments, "a value that was made elsewhere is used");
  const GuardSource& source = shadow_->source(*id);
  const auto kind = value.isGenerator() ? graph::ValueKind::kGenerator : graph::ValueKind::kTensor;
  const graph::ValueId placeholder = graph_.AddPlaceholder(FreshName(source.name), source.placeholder, kind);
  inputs_.push_back(*id);
  Know(value, {placeholder, std::nullopt});
  return placeholder;
}

graph::ValueId Recorder::ValueOf(const IValue& value) {
  const auto deferred = deferred_of_.find(IdentityOf(value));
  if (deferred != deferred_of_.end()) RecordDeferred(deferred->second);
  const auto found = known_.find(IdentityOf(value));
  if (found == known_.end()) return AddPlaceholder(value);
  const Known known = found->second;
  if (!known.element) return known.value;
  static const graph::Operator& get_item = graph::Operator::Get("python::getitem.Tensor");
  const graph::Node& node = graph_.AddNode(
      get_item, {Argument(known.value), Argument(IValue(*known.element))}, {FreshName("getitem")});
  origins_.push_back(origins_.empty() ? CodeOrigin{} : origins_.back());
  Know(value, {node.results[0], std::nullopt});
  return node.results[0];
}

Argument Recorder::ArgumentOf(const IValue& value) {
  if (value.isNone()) return {};
  if (value.isTensor()) {
    if (!value.toTensor().defined()) return {};
    if (!graph::fake::World::IsFake(value.toTensor()))
      throw BreakRequest(BreakKind::kUnusualTensor, "a tensor that has no stand-in is used");
    return ValueOf(value);
  }
  if (value.isGenerator()) return ValueOf(value);
  if (IsConstant(value) && !value.isEnum()) return Argument(value);
  if (!value.isList())
    throw BreakRequest(BreakKind::kUncapturedArguments, "an argument is a " + value.tagKind());
  Argument::List list;
  for (const IValue& element : value.toListRef()) list.push_back(ArgumentOf(element));
  return Argument(std::move(list));
}

std::vector<Argument> Recorder::Bind(const graph::Operator& op, c10::ArrayRef<IValue> arguments) {
  std::vector<Argument> bound;
  bound.reserve(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::optional<Argument> argument = graph::Conform(graph_, op.slots()[i], ArgumentOf(arguments[i]));
    if (!argument)
      throw BreakRequest(BreakKind::kUncapturedArguments,
                         fmt::format("argument {} of {} is a {}", op.schema().arguments()[i].name(),
                                     op.qualified_name(), arguments[i].tagKind()));
    bound.push_back(std::move(*argument));
  }
  return bound;
}

void Recorder::Record(const graph::Operator& op, std::vector<Argument> arguments,
                      c10::ArrayRef<IValue> results, CodeOrigin origin) {
  std::vector<std::string> names;
  for (size_t i = 0; i < results.size(); ++i) names.push_back(FreshName(op.plain_name()));
  const std::vector<graph::ValueId> values = graph_.AddNode(op, std::move(arguments), names).results;
  origins_.push_back(std::move(origin));
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].isTensor() && results[i].toTensor().defined()) Know(results[i], {values[i], std::nullopt});
    if (!results[i].isList()) continue;
    const auto elements = results[i].toListRef();
    for (size_t k = 0; k < elements.size(); ++k) Know(elements[k], {values[i], static_cast<int64_t>(k)});
  }
}

void Recorder::RecordConstant(const at::Tensor& constant, const at::Tensor& fake, CodeOrigin origin) {
  static const graph::Operator& copy = graph::Operator::Get("aten::lift_fresh_copy");
  const graph::ValueId value = graph_.AddConstant(FreshName("constant"), constant);
  Record(copy, {Argument(value)}, {IValue(fake)}, std::move(origin));
}

void Recorder::Defer(const graph::Operator& op, torch::jit::Stack arguments, torch::jit::Stack results,
                     CodeOrigin origin) {
  for (const IValue& result : results) {
    // One that returns its argument has nothing new.
    for (const at::Tensor& tensor : TensorsIn(result)) {
      if (!known_.contains(IdentityOf(tensor)))
        deferred_of_.try_emplace(IdentityOf(tensor), deferred_.size());
    }
  }
  deferred_.push_back({&op, std::move(arguments), std::move(results), std::move(origin)});
}

void Recorder::DeferConstant(const at::Tensor& constant, const at::Tensor& fake, CodeOrigin origin) {
  deferred_of_.try_emplace(IdentityOf(fake), deferred_.size());
  deferred_.push_back({nullptr, {constant}, {fake}, std::move(origin)});
}

void Recorder::RecordDeferred(size_t index) {
  if (std::exchange(deferred_[index].is_recorded, true)) return;
  // Arguments may be deferred as well.
  const Deferred call = deferred_[index];
  if (call.op == nullptr)
    return RecordConstant(call.arguments[0].toTensor(), call.results[0].toTensor(), call.origin);
  std::vector<Argument> arguments = Bind(*call.op, call.arguments);
  Record(*call.op, std::move(arguments), call.results, call.origin);
}

void Recorder::RecordDeferred() {
  for (size_t i = 0; i < deferred_.size(); ++i) RecordDeferred(i);
}

size_t Recorder::AddOutput(const at::Tensor& fake) {
  const graph::ValueId value = ValueOf(fake);
  const auto found = std::ranges::find(outputs_, value);
  if (found != outputs_.end()) return static_cast<size_t>(found - outputs_.begin());
  outputs_.push_back(value);
  return outputs_.size() - 1;
}

Recorder::Recorded Recorder::Finish(std::string name) {
  graph_.set_name(std::move(name));
  graph_.SetOutputs({outputs_.begin(), outputs_.end()});
  sizes_.resize(graph_.values().size());
  return {std::move(graph_), std::move(inputs_), std::move(origins_), std::move(sizes_)};
}

}  // namespace culprit::capture
