// SPDX-License-Identifier: Apache-2.0
#include "minify/order/size.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "minify/order/dtype_rank.h"
#include "minify/order/fill.h"
#include "minify/order/simpler_operator.h"
#include "minify/order/simplest_attribute.h"
#include "minify/program/leaves.h"

namespace culprit::minify {
namespace {

constexpr std::string_view kAdapters[] = {"aten::view",   "aten::reshape", "aten::_reshape_alias",
                                          "aten::expand", "aten::narrow",  "aten::_to_copy",
                                          "aten::slice"};

auto CheapParts(const Size& size) {
  return std::tie(size.operators, size.adapters, size.operator_complexity, size.outputs, size.inputs,
                  size.frozen, size.elements);
}

int64_t ElementsOf(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() ? value.toTensor().numel() : 0;
}

struct CallComplexity {
  size_t attributes = 0;
  size_t dtypes = 0;
  auto operator<=>(const CallComplexity&) const = default;  // NOLINT(modernize-use-nullptr)
};

CallComplexity ComplexityOfCalls(const Program& program, const std::vector<Leaf>& leaves) {
  CallComplexity complexity;
  for (const graph::Node& node : program.graph.nodes()) {
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      complexity.attributes += AttributeComplexity(node, i);
      if (const auto dtype = DtypeArgument(node, i)) complexity.dtypes += DtypeRank(*dtype);
    }
  }
  for (const Leaf& leaf : leaves) complexity.dtypes += DtypeRank(leaf.tensor.scalar_type());
  return complexity;
}

size_t ComplexityOfNumbers(const std::vector<Leaf>& leaves, const std::vector<Leaf>& others) {
  size_t sum = 0;
  for (size_t i = 0; i < leaves.size(); ++i) {
    // What both have is the same on both sides.
    const bool is_shared = leaves.size() == others.size() &&
                           leaves[i].tensor.unsafeGetTensorImpl() == others[i].tensor.unsafeGetTensorImpl();
    if (!is_shared) sum += ContentsComplexity(leaves[i].tensor);
  }
  return sum;
}

}  // namespace

std::strong_ordering Size::operator<=>(const Size& other) const {
  const std::strong_ordering cheap = CheapParts(*this) <=> CheapParts(other);
  if (std::is_neq(cheap)) return cheap;
  const std::vector<Leaf> leaves = LeavesOf(*program), others = LeavesOf(*other.program);
  const std::strong_ordering calls =
      ComplexityOfCalls(*program, leaves) <=> ComplexityOfCalls(*other.program, others);
  if (std::is_neq(calls)) return calls;
  return ComplexityOfNumbers(leaves, others) <=> ComplexityOfNumbers(others, leaves);
}

Size SizeOf(const Program& program) {
  Size size{.program = &program};
  const graph::Graph& graph = program.graph;
  for (const graph::Node& node : graph.nodes()) {
    ++(std::ranges::count(kAdapters, node.op->name()) > 0 ? size.adapters : size.operators);
    size.operator_complexity += ComplexityOf(*node.op);
  }
  size.outputs = graph.outputs().size();
  size.inputs = program.inputs.size() + graph.constants().size();
  size.frozen = graph.constants().size() +
                std::ranges::count_if(graph.placeholders(), [](const graph::Placeholder& placeholder) {
                  return placeholder.kind != graph::PlaceholderKind::kInput;
                });
  for (const c10::IValue& input : program.inputs) size.elements += ElementsOf(input);
  for (const graph::TensorConstant& constant : graph.constants()) size.elements += constant.tensor.numel();
  return size;
}

}  // namespace culprit::minify
