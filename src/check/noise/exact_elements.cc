// SPDX-License-Identifier: Apache-2.0
#include "check/noise/exact_elements.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>

#include "check/noise/operator_family.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::check {
namespace {

/// What is lost in a + b is a number again (Knuth).
bool IsSum(double a, double b, double r) {
  const double sum = a + b;
  const double b_in_sum = sum - a;
  const double lost = (a - (sum - b_in_sum)) + (b - b_in_sum);
  return sum == r && lost == 0;
}

struct Row {
  std::string_view family;
  size_t operands;
  ExactElements::IsExact is_exact;
};

// The remainders of *, / and sqrt are numbers again, which fma gives exactly.
constexpr Row kRows[] = {
    {"add", 2, IsSum},
    {"sub", 2, [](double a, double b, double r) { return IsSum(a, -b, r); }},
    {"rsub", 2, [](double a, double b, double r) { return IsSum(b, -a, r); }},
    {"mul", 2, [](double a, double b, double r) { return std::fma(a, b, -r) == 0; }},
    {"div", 2, [](double a, double b, double r) { return b != 0 && std::fma(r, b, -a) == 0; }},
    {"sqrt", 1, [](double a, double, double r) { return std::fma(r, r, -a) == 0; }},
    {"reciprocal", 1, [](double a, double, double r) { return std::fma(r, a, -1) == 0; }},
    {"_to_copy", 1, [](double a, double, double r) { return a == r; }},
    {"to", 1, [](double a, double, double r) { return a == r; }},
    // Where these are 1, they were rounded to 1, but for this one place.
    {"cos", 1, [](double a, double, double) { return a == 0; }},
    {"cosh", 1, [](double a, double, double) { return a == 0; }},
    {"erfc", 1, [](double a, double, double) { return a == 0; }},
    {"exp", 1, [](double a, double, double) { return a == 0; }},
    {"exp2", 1, [](double a, double, double) { return a == 0; }},
    {"sigmoid", 1, [](double a, double, double) { return a == 0; }},
};

/// add(x, y, alpha=2), div(x, y, rounding_mode="floor").
bool HasFurtherArguments(const graph::Node& node, const torch::jit::Stack& arguments) {
  const auto& schema = node.op->schema().arguments();
  for (size_t i = 0; i < schema.size(); ++i) {
    if (schema[i].name() == "alpha" && !arguments[i].toScalar().equal(1)) return true;
    if (schema[i].name() == "rounding_mode" && !arguments[i].isNone()) return true;
  }
  return false;
}

bool IsReal(const at::Tensor& tensor) {
  return graph::IsPlain(tensor) && tensor.device().is_cpu() && !tensor.is_complex();
}

/// Undefined where it is no real number.
at::Tensor OperandOf(const c10::IValue& argument, bool is_written) {
  if (argument.isTensor() && IsReal(argument.toTensor()))
    return is_written ? argument.toTensor().detach().clone() : argument.toTensor().detach();
  if (argument.isDouble() || argument.isInt() || argument.isBool())
    return at::scalar_tensor(argument.toScalar(), at::kDouble);
  return {};
}

/// At most so many elements at a time, for their copies in float64.
constexpr int64_t kPiece = 1 << 14;

/// The same piece of all, which have the same sizes.
void InPieces(const std::vector<at::Tensor>& all,
              c10::function_ref<void(const std::vector<at::Tensor>&)> function) {
  const at::Tensor& first = all.front();
  if (first.numel() <= kPiece) return function(all);
  const auto sizes = first.sizes();
  const auto dimension = std::ranges::max_element(sizes) - sizes.begin();
  const int64_t half = sizes[dimension] / 2;
  for (const auto& [begin, length] : {std::pair{int64_t{0}, half}, {half, sizes[dimension] - half}}) {
    std::vector<at::Tensor> part;
    part.reserve(all.size());
    for (const at::Tensor& each : all) part.push_back(each.narrow(dimension, begin, length));
    InPieces(part, function);
  }
}

at::Tensor Doubles(const at::Tensor& tensor) {
  return tensor.to(at::kDouble).contiguous();
}

}  // namespace

std::optional<ExactElements> ExactElements::Of(const graph::Node& node, const torch::jit::Stack& arguments) {
  const Row* row = std::ranges::find(kRows, FamilyOf(node.op->name()), &Row::family);
  if (row == std::end(kRows) || arguments.size() < row->operands) return std::nullopt;
  if (HasFurtherArguments(node, arguments)) return std::nullopt;
  const at::NoGradGuard no_grad;
  ExactElements exact;
  exact.is_exact_ = row->is_exact;
  for (size_t i = 0; i < row->operands; ++i) {
    exact.operands_.push_back(OperandOf(arguments[i], graph::WritesInto(node, i)));
    if (!exact.operands_.back().defined()) return std::nullopt;
  }
  return exact;
}

void ExactElements::Keep(const at::Tensor& result,
                         c10::function_ref<void(const at::Tensor& piece)> change) const {
  const at::NoGradGuard no_grad;
  // Another tensor in the same place, so that autograd sees no write.
  std::vector<at::Tensor> all = {graph::TensorOn(result.storage(), graph::Geometry::Of(result))};
  for (const at::Tensor& operand : operands_) all.push_back(operand.expand(result.sizes()));
  InPieces(all, [&](const std::vector<at::Tensor>& piece) {
    const at::Tensor before = piece[0].clone();
    const at::Tensor a = Doubles(piece[1]), b = piece.size() > 2 ? Doubles(piece[2]) : a, r = Doubles(before);
    const at::Tensor exact = at::empty(r.sizes(), at::kBool);
    const auto* as = a.const_data_ptr<double>();
    const auto* bs = b.const_data_ptr<double>();
    const auto* rs = r.const_data_ptr<double>();
    auto* masks = exact.mutable_data_ptr<bool>();
    for (int64_t i = 0; i < r.numel(); ++i) masks[i] = is_exact_(as[i], bs[i], rs[i]);
    change(piece[0]);
    piece[0].copy_(at::where(exact, before, piece[0]));
  });
}

}  // namespace culprit::check
