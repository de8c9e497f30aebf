// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/wanted_ranges.h"

#include <cmath>
#include <string_view>

#include "graph/inputs/call_arguments.h"
#include "graph/inputs/index_places.h"

namespace culprit::graph::inputs {
namespace {

using Kind = InputRange::Kind;

int64_t SizeOrOne(const at::Tensor& tensor, int64_t dim) {
  return tensor.dim() == 0 ? 1 : tensor.size(dim);
}

using Bound = int64_t (*)(const CallArguments& call);
int64_t RowsOfWeight(const CallArguments& call) {
  return SizeOrOne(call.tensor("weight"), 0);
}
int64_t NumberOfWeights(const CallArguments& call) {
  return call["num_weights"].toInt();
}
int64_t SizeAlongDim(const CallArguments& call) {
  return SizeOrOne(call.tensor("self"), call["dim"].toInt());
}
int64_t NumberOfElements(const CallArguments& call) {
  return call.tensor("self").numel();
}
int64_t NumberOfClasses(const CallArguments& call) {
  return call["num_classes"].toInt();
}
int64_t ClassesOfLogits(const CallArguments& call) {
  const at::Tensor logits = call.tensor("self");
  return logits.dim() < 2 ? SizeOrOne(logits, 0) : logits.size(1);
}
// Without a size that is told, the one that these repeats give; or one repeat of each, if that is nothing.
int64_t OutputSize(const CallArguments& call) {
  if (!call["repeats"].isTensor()) return -1;
  if (call["output_size"].isInt()) return call["output_size"].toInt();
  const at::Tensor repeats = call.tensor("repeats");
  const auto sum = repeats.sum().item<int64_t>();
  return sum > 0 ? sum : repeats.numel();
}
int64_t Nothing(const CallArguments& /*call*/) {
  return 0;
}
// The power of a negative number is no real number then.
int64_t IfExponentIsFractional(const CallArguments& call) {
  const c10::IValue& exponent = call["exponent"];
  if (exponent.isTensor()) return exponent.toTensor().is_floating_point() ? 0 : -1;
  return exponent.isDouble() && exponent.toDouble() != std::trunc(exponent.toDouble()) ? 0 : -1;
}
// Dividing integers by zero is an error.
int64_t IfIntegers(const CallArguments& call) {
  const c10::IValue& divisor = call["other"];
  const bool integers =
      divisor.isTensor() && c10::isIntegralType(divisor.toTensor().scalar_type(), /*includeBool=*/true);
  return integers ? 0 : -1;
}

struct Row {
  /// Of any overload, in place or not.
  std::string_view op;
  std::string_view argument;
  Kind kind;
  /// Negative if there is none.
  Bound bound;
};

constexpr Row kRows[] = {
    {"aten::embedding", "indices", Kind::kBelow, RowsOfWeight},
    {"aten::embedding_bag", "indices", Kind::kBelow, RowsOfWeight},
    {"aten::_embedding_bag", "indices", Kind::kBelow, RowsOfWeight},
    {"aten::_embedding_bag_forward_only", "indices", Kind::kBelow, RowsOfWeight},
    {"aten::embedding_dense_backward", "indices", Kind::kBelow, NumberOfWeights},
    {"aten::index_select", "index", Kind::kBelow, SizeAlongDim},
    {"aten::index_add", "index", Kind::kBelow, SizeAlongDim},
    {"aten::index_copy", "index", Kind::kBelow, SizeAlongDim},
    {"aten::index_fill", "index", Kind::kBelow, SizeAlongDim},
    {"aten::gather", "index", Kind::kBelow, SizeAlongDim},
    {"aten::scatter", "index", Kind::kBelow, SizeAlongDim},
    {"aten::scatter_add", "index", Kind::kBelow, SizeAlongDim},
    {"aten::scatter_reduce", "index", Kind::kBelow, SizeAlongDim},
    {"aten::take", "index", Kind::kBelow, NumberOfElements},
    {"aten::put", "index", Kind::kBelow, NumberOfElements},
    {"aten::one_hot", "self", Kind::kBelow, NumberOfClasses},
    {"aten::nll_loss_forward", "target", Kind::kBelow, ClassesOfLogits},
    {"aten::nll_loss_backward", "target", Kind::kBelow, ClassesOfLogits},
    {"aten::nll_loss2d_forward", "target", Kind::kBelow, ClassesOfLogits},
    {"aten::nll_loss2d_backward", "target", Kind::kBelow, ClassesOfLogits},
    {"aten::cross_entropy_loss", "target", Kind::kBelow, ClassesOfLogits},
    {"aten::repeat_interleave", "repeats", Kind::kSumsTo, OutputSize},

    {"aten::log", "self", Kind::kPositive, Nothing},
    {"aten::log2", "self", Kind::kPositive, Nothing},
    {"aten::log10", "self", Kind::kPositive, Nothing},
    {"aten::log1p", "self", Kind::kUnit, Nothing},
    {"aten::sqrt", "self", Kind::kUnit, Nothing},
    {"aten::rsqrt", "self", Kind::kPositive, Nothing},
    {"aten::lgamma", "self", Kind::kPositive, Nothing},
    {"aten::digamma", "self", Kind::kPositive, Nothing},
    {"aten::acos", "self", Kind::kUnit, Nothing},
    {"aten::asin", "self", Kind::kUnit, Nothing},
    {"aten::atanh", "self", Kind::kUnit, Nothing},
    {"aten::erfinv", "self", Kind::kUnit, Nothing},
    {"aten::logit", "self", Kind::kUnit, Nothing},
    {"aten::pow", "self", Kind::kPositive, IfExponentIsFractional},
    {"aten::div", "other", Kind::kPositive, IfIntegers},
    {"aten::divide", "other", Kind::kPositive, IfIntegers},
    {"aten::floor_divide", "other", Kind::kPositive, IfIntegers},
    {"aten::remainder", "other", Kind::kPositive, IfIntegers},
    {"aten::fmod", "other", Kind::kPositive, IfIntegers},
    {"aten::native_batch_norm", "running_var", Kind::kPositive, Nothing},
    {"aten::native_batch_norm_backward", "running_var", Kind::kPositive, Nothing},
    {"aten::batch_norm", "running_var", Kind::kPositive, Nothing},
    {"aten::bernoulli", "self", Kind::kUnit, Nothing},
    {"aten::multinomial", "self", Kind::kPositive, Nothing},
    {"aten::binary_cross_entropy", "self", Kind::kUnit, Nothing},
    {"aten::binary_cross_entropy", "target", Kind::kUnit, Nothing},
    {"aten::binary_cross_entropy_backward", "self", Kind::kUnit, Nothing},
    {"aten::binary_cross_entropy_backward", "target", Kind::kUnit, Nothing},
};

constexpr std::string_view kIndexFamilies[] = {"aten::index", "aten::_unsafe_index", "aten::index_put",
                                               "aten::_unsafe_index_put", "aten::_index_put_impl"};

// "aten::log_" => "aten::log"
std::string_view NameOfFamily(std::string_view op) {
  return op.ends_with('_') ? op.substr(0, op.size() - 1) : op;
}

// What operators write somewhere that their index says, one row for each place of it.
std::optional<InputRange> RangeOfPlaces(std::string_view family, const CallArguments& call) {
  const bool along_dim =
      (family == "aten::scatter" && call.has("src") && !call.has("reduce")) || family == "aten::index_copy";
  if (along_dim) return DistinctAlong(call.tensor("index"), call["dim"].toInt(), SizeAlongDim(call));
  if (family == "aten::put" && !call["accumulate"].toBool())
    return InputRange{Kind::kBelow, NumberOfElements(call), 1};
  return std::nullopt;
}

// As many elements are true as the source has for them.
std::optional<InputRange> RangeOfScatterMask(const CallArguments& call) {
  const int64_t elements = call.tensor("self").numel(), given = call.tensor("source").numel();
  if (given >= elements) return std::nullopt;
  return InputRange{Kind::kTrues, given * call.tensor("mask").numel() / elements};
}

}  // namespace

std::vector<WantedRange> WantedRanges(const Node& node, const torch::jit::Stack& arguments) {
  const CallArguments call(node, arguments);
  const std::string_view family = NameOfFamily(node.op->name());
  if (std::find(std::begin(kIndexFamilies), std::end(kIndexFamilies), family) != std::end(kIndexFamilies))
    return WantedOfIndices(call);
  std::vector<WantedRange> wanted;
  const auto want = [&](std::string_view argument, const std::optional<InputRange>& range) {
    if (range && call.written(argument).is_value())
      wanted.push_back({call.written(argument).value(), *range});
  };
  for (const Row& row : kRows) {
    if (row.op != family || !call.has(row.argument)) continue;
    const int64_t bound = row.bound(call);
    if (bound >= 0) want(row.argument, InputRange{row.kind, bound});
  }
  if (call.has("index")) want("index", RangeOfPlaces(family, call));
  if (family == "aten::masked_scatter") want("mask", RangeOfScatterMask(call));
  return wanted;
}

}  // namespace culprit::graph::inputs
