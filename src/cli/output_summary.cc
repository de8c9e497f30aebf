// SPDX-License-Identifier: Apache-2.0
#include "cli/output_summary.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "graph/text/literal.h"

namespace culprit::cli {
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

void AddNumbers(const at::Tensor& tensor, OutputSummary& summary) {
  if (tensor.numel() == 0) return;
  at::Tensor values = StoredElements(tensor.detach());
  const int64_t left_out = tensor.numel() - values.numel();
  if (left_out > 0) values = at::cat({values, at::zeros({1}, values.options())});
  if (values.is_complex()) values = values.to(at::kComplexDouble).abs();
  values = values.to(IsWhole(values.scalar_type()) ? at::kLong : at::kDouble).reshape({-1});
  summary.nans = values.isnan().sum().item<int64_t>();
  summary.infinities = values.isinf().sum().item<int64_t>();
  const at::Tensor finite = values.masked_select(values.isfinite());
  if (finite.numel() > 0) values = finite;
  const int64_t count = values.numel() + std::max<int64_t>(left_out - 1, 0);
  summary.range = {NumberOf(values.min()), NumberOf(values.max()),
                   values.to(at::kDouble).sum().item<double>() / static_cast<double>(count)};
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

}  // namespace culprit::cli
