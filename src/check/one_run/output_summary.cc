// SPDX-License-Identifier: Apache-2.0
#include "check/one_run/output_summary.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "graph/text/syntax/literal.h"

namespace culprit::check {
namespace {

bool IsWhole(at::ScalarType dtype) {
  return c10::isIntegralType(dtype, /*includeBool=*/true);
}

Number NumberOf(const at::Tensor& element) {
  return IsWhole(element.scalar_type()) ? Number(element.item<int64_t>()) : Number(element.item<double>());
}

/// The elements that take memory. Those that a sparse tensor leaves out are zeros, for which one more stands.
at::Tensor StoredElements(const at::Tensor& tensor) {
  if (tensor.is_quantized()) return tensor.dequantize();
  if (tensor.layout() == at::kStrided) return tensor;
  if (tensor.is_mkldnn()) return tensor.to_dense();
  const at::Tensor stored = tensor.is_sparse() ? tensor.coalesce().values() : tensor.values();
  return stored.reshape({-1});
}

/// What the finite elements of an output have in common, or all of them if none is finite.
class Numbers {
 public:
  /// As integers or doubles, without dimensions other than one.
  void Add(const at::Tensor& elements, OutputSummary& summary) {
    summary.nans += elements.isnan().sum().item<int64_t>();
    summary.infinities += elements.isinf().sum().item<int64_t>();
    const at::Tensor finite = elements.masked_select(elements.isfinite());
    if (finite.numel() == 0 && is_finite_) return;
    if (finite.numel() > 0 && !is_finite_) *this = {};
    is_finite_ = finite.numel() > 0;
    const at::Tensor& counted = is_finite_ ? finite : elements;
    lowest_.push_back(counted.min());
    highest_.push_back(counted.max());
    sum_ += counted.to(at::kDouble).sum().item<double>();
    count_ += counted.numel();
  }

  ElementRange RangeOf(int64_t further_zeros) const {
    return {NumberOf(at::stack(lowest_).min()), NumberOf(at::stack(highest_).max()),
            sum_ / static_cast<double>(count_ + further_zeros)};
  }

 private:
  bool is_finite_ = false;
  std::vector<at::Tensor> lowest_;
  std::vector<at::Tensor> highest_;
  double sum_ = 0;
  int64_t count_ = 0;
};

/// Piece by piece: as doubles a large output would take several times its memory.
void AddNumbers(const at::Tensor& tensor, OutputSummary& summary) {
  constexpr int64_t kPiece = 1 << 22;
  if (tensor.numel() == 0) return;
  at::Tensor values = StoredElements(tensor.detach()).reshape({-1});
  const int64_t implicit_zeros = tensor.numel() - values.numel();
  if (implicit_zeros > 0) values = at::cat({values, at::zeros({1}, values.options())});
  Numbers numbers;
  for (int64_t i = 0; i < values.numel(); i += kPiece) {
    at::Tensor piece = values.slice(0, i, i + kPiece);
    if (piece.is_complex()) piece = piece.to(at::kComplexDouble).abs();
    numbers.Add(piece.to(IsWhole(piece.scalar_type()) ? at::kLong : at::kDouble), summary);
  }
  summary.range = numbers.RangeOf(std::max<int64_t>(implicit_zeros - 1, 0));
}

std::string PythonType(const c10::IValue& value) {
  if (value.isNone()) return "None";
  if (value.isBool()) return "bool";
  if (value.isInt()) return "int";
  if (value.isDouble()) return "float";
  if (value.isComplexDouble()) return "complex";
  if (value.isString()) return "str";
  if (value.isDevice()) return "torch.device";
  if (value.isGenerator()) return "torch.Generator";
  return value.isList() ? "list" : value.tagKind();
}

// Constants can be long strings.
std::string ConstantName(const c10::IValue& constant) {
  constexpr size_t kLongest = 40;
  const std::string text = graph::text::ConstantToText(constant);
  return text.size() > kLongest ? text.substr(0, kLongest) + "..." : text;
}

}  // namespace

OutputSummary Summarise(const graph::Graph& graph, size_t index, const c10::IValue& output) {
  const graph::Argument& argument = graph.outputs()[index];
  OutputSummary summary{.name = argument.is_value() ? graph.value(argument.value()).name
                                                    : ConstantName(argument.constant())};
  if (output.isTensor() && output.toTensor().defined()) {
    const at::Tensor& tensor = output.toTensor();
    summary.type = graph::text::NameOf(tensor.scalar_type());
    summary.sizes = tensor.sizes().vec();
    AddNumbers(tensor, summary);
    return summary;
  }
  summary.type = output.isTensor() ? "None" : PythonType(output);
  if (output.isScalar()) {
    const at::Scalar scalar = output.toScalar();
    AddNumbers(at::scalar_tensor(scalar, scalar.type()), summary);
  }
  return summary;
}

}  // namespace culprit::check
