// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/program_builder.h"

#include <c10/util/hash.h>

#include "base/internal_error.h"
#include "compiler/loops/type_rules.h"

namespace culprit::compiler::lower {
namespace {

using graph::Origin;
using loops::ValueIndex;

bool IsLoadable(const at::Tensor& tensor) {
  return tensor.defined() && tensor.device().is_cpu() && tensor.layout() == at::kStrided &&
         !tensor.is_quantized() && !tensor.is_mkldnn() && !tensor.is_neg() && !tensor.is_conj() &&
         loops::IsComputable(tensor.scalar_type());
}

size_t HashOf(const loops::Value& value) {
  size_t hash = c10::get_hash(static_cast<int>(value.dtype), value.sizes, value.loop->reduced);
  for (const loops::Expression& expression : value.loop->body.expressions())
    hash = c10::hash_combine(hash, c10::get_hash(static_cast<int>(expression.op), expression.integer));
  return hash;
}

bool SameLoop(const loops::Loop& a, const loops::Loop& b) {
  return a.kind == b.kind && a.combine == b.combine && a.axis == b.axis && a.reduced == b.reduced &&
         a.result == b.result && a.body.expressions() == b.body.expressions();
}

}  // namespace

ProgramBuilder::ProgramBuilder(std::shared_ptr<const graph::Graph> graph, std::vector<c10::IValue> fakes,
                               const LowerOptions& options)
    : fakes_(std::move(fakes)), options_(options), places_(graph->values().size()) {
  program_.graph = std::move(graph);
  FindWrittenStorages();
  for (uint32_t i = 0; i < places_.size(); ++i) pending_.push_back(Describe(graph::ValueId{i}));
  for (uint32_t i = 0; i < places_.size(); ++i)
    if (program_.graph->values()[i].origin != Origin::kNode) Place(graph::ValueId{i});
}

void ProgramBuilder::FindWrittenStorages() {
  for (const graph::Node& node : graph().nodes()) {
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (!WritesInto(node, i)) continue;
      ForEachValue(node.arguments[i], [&](graph::ValueId id) {
        if (Fake(id).isTensor() && IsLoadable(Fake(id).toTensor()))
          written_.insert(Fake(id).toTensor().storage().unsafeGetStorageImpl());
      });
    }
  }
}

loops::Value ProgramBuilder::Describe(graph::ValueId id) const {
  const graph::Value& value = graph().value(id);
  loops::Value described{.name = value.name};
  if (value.origin == Origin::kNode) {
    described.node = graph::NodeId{value.origin_index};
    described.result = value.result_index;
  }
  const c10::IValue& fake = Fake(id);
  if (!fake.isTensor() || !IsLoadable(fake.toTensor()) ||
      written_.contains(fake.toTensor().storage().unsafeGetStorageImpl())) {
    described.is_opaque = true;
    return described;
  }
  const at::Tensor& tensor = fake.toTensor();
  described.dtype = tensor.scalar_type();
  described.sizes = tensor.sizes().vec();
  described.strides = tensor.strides().vec();
  described.is_view = IsView(id);
  return described;
}

bool ProgramBuilder::IsView(graph::ValueId id) const {
  const graph::Value& value = graph().value(id);
  if (value.origin != Origin::kNode) return false;
  const graph::Node& node = graph().nodes()[value.origin_index];
  if (node.op->writes_any() || node.arguments.empty() || !node.arguments[0].is_value()) return false;
  const c10::IValue& first = Fake(node.arguments[0].value());
  return first.isTensor() && first.toTensor().defined() && Fake(id).toTensor().is_alias_of(first.toTensor());
}

ValueIndex ProgramBuilder::Place(graph::ValueId id, std::shared_ptr<const loops::Loop> loop) {
  CULPRIT_CHECK(!PlaceOf(id), "{} is there already", graph().value(id).name);
  const ValueIndex place{static_cast<uint32_t>(values().size())};
  program_.values.push_back(Pending(id));
  program_.values.back().loop = std::move(loop);
  places_[Index(id)] = place;
  Remember(place);
  return place;
}

ValueIndex ProgramBuilder::PlaceHelper(loops::Value helper) {
  const auto [begin, end] = computed_.equal_range(HashOf(helper));
  for (auto known = begin; known != end; ++known) {
    // What was taken back may still be known under a place where something else stands now.
    if (Index(known->second) >= values().size()) continue;
    const loops::Value& value = program_[known->second];
    if (value.loop && value.dtype == helper.dtype && value.sizes == helper.sizes &&
        SameLoop(*value.loop, *helper.loop))
      return known->second;
  }
  const ValueIndex place{static_cast<uint32_t>(values().size())};
  program_.values.push_back(std::move(helper));
  Remember(place);
  return place;
}

void ProgramBuilder::Remember(ValueIndex index) {
  if (program_[index].loop) computed_.emplace(HashOf(program_[index]), index);
}

void ProgramBuilder::PlaceResults(graph::NodeId node) {
  for (const graph::ValueId result : graph().node(node).results)
    if (!PlaceOf(result)) Place(result);
}

void ProgramBuilder::TakeBack(graph::NodeId node, size_t values) {
  program_.values.resize(values);
  for (const graph::ValueId result : graph().node(node).results) places_[Index(result)].reset();
}

loops::LoopProgram ProgramBuilder::Take() && {
  for (const std::optional<ValueIndex>& place : places_) program_.value_of.push_back(*place);
  return std::move(program_);
}

}  // namespace culprit::compiler::lower
