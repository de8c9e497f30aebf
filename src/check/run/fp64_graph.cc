// SPDX-License-Identifier: Apache-2.0
#include "check/run/fp64_graph.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "check/run/graph_model.h"
#include "check/run/without_random.h"
#include "graph/analysis/memory_sets.h"
#include "graph/passes/cast_at_first_use.h"
#include "graph/passes/cast_to_fp64.h"
#include "graph/passes/explicit_copies.h"
#include "graph/passes/hoist_random.h"
#include "graph/run/recording.h"
#include "graph/tensors/map_tensors.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::check {
namespace {

using Values = std::vector<c10::IValue>;

/// The cast graph, which takes what random operators drew as further inputs: nobody outside has to know.
class Fp64Graph : public Model {
 public:
  /// `drawn` in the graph's own precision.
  Fp64Graph(graph::Graph cast, Values drawn, std::vector<bool> casts)
      : graph_(GraphModel::Owning(std::move(cast))), drawn_(std::move(drawn)), casts_(std::move(casts)) {}

  std::unique_ptr<Model> Copy() const override { return std::make_unique<Fp64Graph>(*this); }

  c10::IValue Call(Values& inputs) override {
    const size_t first_drawn = casts_.size() - drawn_.size();
    Values to_cast = drawn_;
    for (size_t i = 0; i < drawn_.size(); ++i) {
      if (casts_[first_drawn + i]) to_cast[i] = {};
    }
    // Copies, since the graph may write into them.
    base::Result<Values> cast = graph::CastInputsToFp64(to_cast);
    if (!cast.ok()) throw std::runtime_error(cast.error().message);
    for (size_t i = 0; i < drawn_.size(); ++i)
      inputs.push_back(casts_[first_drawn + i] ? drawn_[i] : std::move((*cast)[i]));
    return graph_.Call(inputs);
  }

  const ModelState& state() const override { return graph_.state(); }

  base::Result<std::unique_ptr<Model>> InFp64(const Values& /*inputs*/,
                                              const repro::RunSettings& /*settings*/) const override {
    return Copy();
  }

  std::vector<bool> casts() const override { return casts_; }

 private:
  GraphModel graph_;
  Values drawn_;
  /// Of the inputs, and behind them of what was drawn.
  std::vector<bool> casts_;
};

/// How many of the values lie on each storage.
std::map<const c10::StorageImpl*, int> CountUsers(const Values& values) {
  std::map<const c10::StorageImpl*, int> users;
  for (const c10::IValue& value : values) {
    graph::MapTensors(value, [&](const at::Tensor& tensor) {
      if (tensor.defined() && tensor.has_storage()) ++users[tensor.storage().unsafeGetStorageImpl()];
      return tensor;
    });
  }
  return users;
}

/// A tensor that is all of its memory and fills it, so that a copy is like it in every way.
bool FillsItsStorage(const at::Tensor& tensor) {
  return graph::IsPlain(tensor) && tensor.is_non_overlapping_and_dense() && tensor.storage_offset() == 0 &&
         tensor.nbytes() == tensor.storage().nbytes() && !tensor.is_conj() && !tensor.is_neg();
}

/// The inputs that the graph can cast where it needs them. A gradient has to arrive in float64, so inputs
/// that get one are cast before.
std::vector<std::optional<at::ScalarType>> CastInside(const graph::Graph& graph, const Values& inputs,
                                                      bool records_history) {
  graph::MemorySets sets(graph);
  const std::vector<bool> written = graph::WrittenSets(graph, sets);
  const std::map<const c10::StorageImpl*, int> users = CountUsers(inputs);
  std::vector<std::optional<at::ScalarType>> dtypes(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].isTensor() || written[sets.SetOf(graph.placeholders()[i].value)]) continue;
    const at::Tensor& tensor = inputs[i].toTensor();
    if (!tensor.defined() || !FillsItsStorage(tensor)) continue;
    if (records_history && tensor.requires_grad()) continue;
    if (users.at(tensor.storage().unsafeGetStorageImpl()) > 1) continue;
    const at::ScalarType widened = graph::Widened(tensor.scalar_type());
    if (widened != tensor.scalar_type()) dtypes[i] = widened;
  }
  return dtypes;
}

/// What can be cast, in its own precision still.
base::Result<graph::HoistedGraph> Prepared(const graph::Graph& graph, const Values& inputs,
                                           repro::RunSettings settings) {
  // Numbers are drawn alike in these modes, but tensors that were made in inference mode are of no use later.
  settings.grad = false;
  settings.inference = false;
  const repro::RunScope scope(settings);
  graph::HoistedGraph hoisted = CULPRIT_TRY(WithoutRandomOperators(graph, inputs));
  Values all = inputs;
  all.insert(all.end(), hoisted.added_inputs.begin(), hoisted.added_inputs.end());
  hoisted.graph = graph::MakeCopiesExplicit(hoisted.graph, graph::CopyAll(all));
  return hoisted;
}

}  // namespace

repro::RunSettings SettingsInFp64(repro::RunSettings settings) {
  settings.default_dtype = at::kDouble;
  settings.autocast.reset();
  return settings;
}

base::Result<std::unique_ptr<Model>> GraphInFp64(const graph::Graph& graph, const Values& inputs,
                                                 const repro::RunSettings& settings) {
  const graph::HoistedGraph prepared = CULPRIT_TRY(Prepared(graph, inputs, settings));
  const graph::Graph cast = CULPRIT_TRY(graph::CastToFp64(prepared.graph));
  Values all = inputs;
  all.insert(all.end(), prepared.added_inputs.begin(), prepared.added_inputs.end());
  const auto dtypes = CastInside(cast, all, settings.grad && !settings.inference);
  std::vector<bool> casts;
  for (const std::optional<at::ScalarType>& dtype : dtypes) casts.push_back(dtype.has_value());
  return std::unique_ptr<Model>(std::make_unique<Fp64Graph>(graph::CastAtFirstUse(cast, dtypes),
                                                            prepared.added_inputs, std::move(casts)));
}

}  // namespace culprit::check
