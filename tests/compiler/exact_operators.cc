// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/exact_operators.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/ne.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <optional>

#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "tests/compiler/native_backend.h"

namespace culprit::tests {
namespace {

using Values = std::vector<c10::IValue>;

/// Below the shortest vector, in the middle of one, a multiple of all, and behind some.
constexpr std::string_view kSampledLayouts[] = {"one", "15", "16", "65"};

bool SameBits(const at::Tensor& a, const at::Tensor& b) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes()) return false;
  if (!at::isFloatingType(a.scalar_type())) return a.equal(b);
  const at::ScalarType bits = a.scalar_type() == at::kDouble ? at::kLong : at::kInt;
  const bool has_bits = a.scalar_type() == at::kDouble || a.scalar_type() == at::kFloat;
  const at::Tensor same = has_bits ? a.contiguous().view(bits).eq(b.contiguous().view(bits)) : a.eq(b);
  return same.logical_or(a.ne(a).logical_and(b.ne(b))).all().item<bool>();
}

std::optional<Values> Eagerly(const graph::Graph& graph, const Values& inputs) {
  try {
    return graph::Interpreter(graph).Run(graph::CopyAll(inputs));
  } catch (const c10::Error&) {
    return std::nullopt;
  }
}

}  // namespace

ExactComparison::ExactComparison(const std::string& setting) : backend_(OpenNative(SettingOf(setting))) {}

void ExactComparison::CompareLayout(const MatrixCase& each, const DtypeColumn& column, const Layout& layout,
                                    ExactResult& result) const {
  const MatrixGraph graph = MakeGraph(each, column.dtype, layout);
  std::unique_ptr<backend::Compiled> compiled;
  std::vector<NumbersName> all(kNumbers.begin(), kNumbers.end());
  all.push_back({Numbers::kWide, "wide"});
  for (const NumbersName& numbers : all) {
    const Values inputs = MakeInputs(each, graph.letters, column.dtype, layout, numbers.numbers);
    const std::optional<Values> expected = Eagerly(graph.graph, inputs);
    if (!expected) continue;
    if (!compiled) compiled = backend_->Compile(graph.graph, inputs);
    Values given = graph::CopyAll(inputs);
    const Values found = compiled->Call(given);
    ++result.cells;
    for (size_t i = 0; i < found.size() && result.difference.empty(); ++i)
      if (!SameBits(found[i].toTensor(), (*expected)[i].toTensor()))
        result.difference = fmt::format("{} {} {}", column.name, layout.name, numbers.name);
  }
}

ExactResult ExactComparison::Compare(const MatrixCase& each, bool all_layouts) const {
  const at::NoGradGuard no_grad;
  ExactResult result;
  for (const DtypeColumn& column : kDtypeColumns) {
    if (column.dtype != at::kFloat && column.dtype != at::kDouble) continue;
    for (const Layout& layout : kLayouts) {
      const bool is_sampled = std::ranges::find(kSampledLayouts, layout.name) != std::end(kSampledLayouts);
      // Batch norm of no images divides by 0 in the processor.
      const bool has_elements = layout.kind == Layout::Kind::kContiguous && layout.rows > 0;
      if (has_elements && (all_layouts || is_sampled)) CompareLayout(each, column, layout, result);
    }
  }
  return result;
}

}  // namespace culprit::tests
