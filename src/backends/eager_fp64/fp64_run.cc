// SPDX-License-Identifier: Apache-2.0
#include "backends/eager_fp64/fp64_run.h"

#include <ATen/core/grad_mode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <map>

#include "backend/refusal.h"
#include "base/result.h"
#include "graph/analysis/memory_sets.h"
#include "graph/passes/cast_to_fp64.h"
#include "graph/passes/explicit_copies.h"
#include "graph/passes/hoist_random.h"
#include "graph/run/interpreter.h"
#include "graph/run/recording.h"
#include "graph/tensors/gradness.h"
#include "graph/tensors/map_tensors.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::backends::eager_fp64 {
namespace {

using backend::Values;
using graph::ValueId;

/// Contents are kept of what random operators read and drew, and of nothing else.
graph::Recording RecordRandom(const graph::Graph& graph, const Values& inputs) {
  std::vector<ValueId> contents_of;
  for (const graph::Node& node : graph.nodes()) {
    if (!DrawsRandomNumbers(node)) continue;
    for (const graph::Argument& argument : node.arguments)
      ForEachValue(argument, [&](ValueId id) { contents_of.push_back(id); });
    contents_of.insert(contents_of.end(), node.results.begin(), node.results.end());
  }
  return graph::Record(graph, graph::CopyAll(inputs), contents_of);
}

template <typename T>
T ValueOrThrow(base::Result<T> result) {
  if (!result.ok()) throw backend::Refusal(result.error().message);
  return *std::move(result);
}

/// The dtypes of all tensors in the outputs of a recorded run, in order.
std::vector<at::ScalarType> OutputDtypes(const graph::Graph& graph, const graph::Recording& recording) {
  const auto end = static_cast<graph::Moment>(graph.nodes().size());
  std::vector<at::ScalarType> dtypes;
  for (const graph::Argument& output : graph.outputs()) {
    if (!output.is_value()) continue;
    for (const graph::RecordedItem& item : recording.value(output.value()).items) {
      if (item.object) dtypes.push_back(recording.StateOf(*item.object, end).geometry.dtype);
    }
  }
  return dtypes;
}

class Fp64Run {
 public:
  Fp64Run(const graph::Graph& graph, const Values& inputs)
      : graph_(graph), inputs_(inputs), cast_inputs_(ValueOrThrow(graph::CastInputsToFp64(inputs))) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].isTensor() && inputs[i].toTensor().requires_grad() && at::GradMode::is_enabled())
        graph::PassGradientTo(inputs[i].toTensor(), cast_inputs_[i].toTensor());
    }
    graph::MemorySets sets(graph);
    const std::vector<bool> written = WrittenSets(graph, sets);
    for (const graph::Placeholder& placeholder : graph.placeholders())
      is_written_.push_back(written[sets.SetOf(placeholder.value)]);
  }

  Values Run() {
    const graph::Recording recording = RecordRandom(graph_, inputs_);
    const graph::HoistedGraph hoisted = ValueOrThrow(HoistRandom(graph_, recording));
    Values own_precision = inputs_;
    own_precision.insert(own_precision.end(), hoisted.added_inputs.begin(), hoisted.added_inputs.end());
    const graph::Graph explicit_graph = MakeCopiesExplicit(hoisted.graph, graph::CopyAll(own_precision));
    Values given = cast_inputs_;
    for (c10::IValue& drawn : ValueOrThrow(graph::CastInputsToFp64(hoisted.added_inputs)))
      given.push_back(std::move(drawn));
    Values outputs = RunCast(ValueOrThrow(CastToFp64(explicit_graph)), std::move(given));
    WriteBack();
    const std::vector<at::ScalarType> dtypes = OutputDtypes(graph_, recording);
    auto dtype = dtypes.begin();
    for (c10::IValue& output : outputs) {
      output = graph::MapTensors(output, [&](const at::Tensor& tensor) {
        return tensor.defined() ? CastBack(tensor, *dtype++) : tensor;
      });
    }
    return outputs;
  }

 private:
  static Values RunCast(const graph::Graph& cast, Values inputs) {
    const graph::Fp64Scope in_fp64;
    const c10::impl::ExcludeDispatchKeyGuard without_autocast(c10::autocast_dispatch_keyset);
    return graph::Interpreter(cast).Run(std::move(inputs));
  }

  void WriteBack() {
    const at::NoGradGuard no_grad;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!is_written_[i] || !inputs_[i].isTensor() || !inputs_[i].toTensor().defined()) continue;
      const at::Tensor& input = inputs_[i].toTensor();
      const at::Tensor& cast = cast_inputs_[i].toTensor();
      if (!input.sizes().equals(cast.sizes())) input.resize_(cast.sizes());
      input.copy_(cast);
    }
  }

  at::Tensor CastBack(const at::Tensor& tensor, at::ScalarType dtype) {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!cast_inputs_[i].isTensor()) continue;
      const at::Tensor& cast = cast_inputs_[i].toTensor();
      const at::Tensor& input = inputs_[i].toTensor();
      // A history that goes through a write is in the float64 tensor only.
      if (is_written_[i] && tensor.requires_grad()) continue;
      if (tensor.is_same(cast)) return input;
      if (IsViewOf(tensor, cast) && input.scalar_type() == dtype)
        return input.as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
    }
    return tensor.scalar_type() == dtype || !graph::IsPlain(tensor) ? tensor.to(dtype)
                                                                    : CastShared(tensor, dtype);
  }

  /// Outputs that share memory share it afterwards too: what they are views of is cast, once.
  at::Tensor CastShared(const at::Tensor& tensor, at::ScalarType dtype) {
    const at::Tensor root = tensor.is_view() ? at::Tensor(tensor._base()) : tensor;
    const bool can_share = root.is_non_overlapping_and_dense() &&
                           root.scalar_type() == tensor.scalar_type() && !tensor.is_conj() &&
                           !tensor.is_neg() && !root.is_conj() && !root.is_neg();
    if (!can_share) return tensor.to(dtype);
    const auto [entry, is_new] = cast_roots_.try_emplace({root.storage().unsafeGetStorageImpl(), dtype});
    Root& kept = entry->second;
    if (is_new) kept = {root, root.to(dtype)};
    if (tensor.is_same(kept.wide)) return kept.cast;
    graph::Geometry place = graph::Geometry::Of(tensor);
    place.offset -= kept.wide.storage_offset();
    place.dtype = dtype;
    // What came first may be a detached piece of the whole.
    if (place.offset < 0 || graph::ReachedBytes(place) > kept.cast.storage().nbytes())
      return tensor.to(dtype);
    // What is no view of the root, but detached from it, has no history.
    const at::Tensor whole = tensor.requires_grad() ? kept.cast : kept.cast.detach();
    return whole.as_strided(place.sizes, place.strides, place.offset);
  }

  static bool IsViewOf(const at::Tensor& tensor, const at::Tensor& cast) {
    if (!graph::IsPlain(tensor) || !graph::IsPlain(cast) || tensor.scalar_type() != cast.scalar_type())
      return false;
    return tensor.is_alias_of(cast) && tensor.is_conj() == cast.is_conj() && tensor.is_neg() == cast.is_neg();
  }

  const graph::Graph& graph_;
  const Values& inputs_;
  Values cast_inputs_;
  std::vector<bool> is_written_;
  /// What outputs are views of, and the same in another dtype.
  struct Root {
    at::Tensor wide;
    at::Tensor cast;
  };
  std::map<std::pair<const c10::StorageImpl*, at::ScalarType>, Root> cast_roots_;
};

}  // namespace

Values RunInFp64(const graph::Graph& graph, const Values& inputs) {
  return Fp64Run(graph, inputs).Run();
}

}  // namespace culprit::backends::eager_fp64
