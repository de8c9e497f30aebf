// SPDX-License-Identifier: Apache-2.0
#include "check/noise/fill_observer.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>

#include "check/noise/operator_family.h"
#include "graph/tensors/dtypes.h"
#include "graph/tensors/map_tensors.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::check {
namespace {

// Of any overload, in place or not, in alphabetical order.
constexpr std::string_view kUnwritten[] = {
    "_resize_output",    "empty",  "empty_like", "empty_permuted", "empty_strided", "new_empty",
    "new_empty_strided", "resize", "resize_as",
};

struct Numbers {
  double floating = 0;
  /// Of dtypes that end at 65504 or earlier.
  double short_floating = 0;
  int64_t integer = 0;
  bool truth = false;
};

Numbers NumbersOf(Filling filling) {
  switch (filling) {
    case Filling::kNan:
      return {NAN, NAN, 0, false};
    case Filling::kNegative:
      return {-1e10, -200, 1, true};
    case Filling::kPositive:
      return {3e9, 150, 100, false};
    case Filling::kZero:
      return {0, 0, -100, true};
  }
  return {};
}

void Fill(const at::Tensor& memory, Filling filling) {
  const at::NoGradGuard no_grad;
  const Numbers numbers = NumbersOf(filling);
  const at::ScalarType dtype = memory.scalar_type();
  const at::ScalarType real = c10::toRealValueType(dtype);
  if (dtype == at::kBool) {
    memory.fill_(numbers.truth);
  } else if (c10::isIntegralType(dtype, /*includeBool=*/false)) {
    const bool is_too_low = numbers.integer < 0 && graph::IsUnsigned(dtype);
    memory.fill_(is_too_low ? 200 : numbers.integer);
  } else if (c10::isFloatingType(real)) {
    const bool is_short = real == at::kHalf || c10::isFloat8Type(real);
    memory.fill_(is_short ? numbers.short_floating : numbers.floating);
  }
}

}  // namespace

bool LeavesMemoryUnwritten(std::string_view op) {
  static_assert(std::ranges::is_sorted(kUnwritten));
  return std::ranges::binary_search(kUnwritten, FamilyOf(op));
}

bool LeavesMemoryUnwritten(const graph::Graph& graph) {
  return std::ranges::any_of(graph.nodes(),
                             [](const graph::Node& node) { return LeavesMemoryUnwritten(node.op->name()); });
}

void FillObserver::Before(graph::NodeId id, const torch::jit::Stack& arguments) {
  known_.clear();
  if (!LeavesMemoryUnwritten(graph_.nodes()[graph::Index(id)].op->name())) return;
  for (const c10::IValue& argument : arguments) {
    graph::MapTensors(argument, [&](const at::Tensor& tensor) {
      if (graph::IsPlain(tensor))
        known_.emplace(tensor.storage().unsafeGetStorageImpl(), tensor.storage().nbytes());
      return tensor;
    });
  }
}

void FillObserver::After(graph::NodeId id, const torch::jit::Stack& results) {
  if (!LeavesMemoryUnwritten(graph_.nodes()[graph::Index(id)].op->name())) return;
  for (const c10::IValue& result : results) {
    graph::MapTensors(result, [&](const at::Tensor& tensor) {
      if (!graph::IsPlain(tensor) || tensor.is_meta()) return tensor;
      const c10::Storage& storage = tensor.storage();
      const auto known = known_.find(storage.unsafeGetStorageImpl());
      const auto size = static_cast<int64_t>(tensor.itemsize());
      const int64_t first = known == known_.end() ? 0 : static_cast<int64_t>(known->second) / size;
      const int64_t count = static_cast<int64_t>(storage.nbytes()) / size - first;
      if (count > 0) Fill(graph::TensorOn(storage, {{count}, {1}, first, tensor.scalar_type()}), filling_);
      return tensor;
    });
  }
}

}  // namespace culprit::check
