// SPDX-License-Identifier: Apache-2.0
#include "minify/size.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "minify/dtype_rank.h"
#include "minify/fill.h"
#include "minify/leaves.h"
#include "minify/simpler_operator.h"
#include "minify/simplest_attribute.h"

namespace culprit::minify {
namespace {

constexpr std::string_view kAdapters[] = {"aten::view",   "aten::reshape", "aten::_reshape_alias",
                                          "aten::expand", "aten::narrow",  "aten::_to_copy",
                                          "aten::slice"};

void CountNode(const graph::Node& node, Size& size) {
  ++(std::ranges::count(kAdapters, node.op->name()) > 0 ? size.adapters : size.operators);
  size.operator_complexity += ComplexityOf(*node.op);
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    size.attributes += AttributeComplexity(node, i);
    const bool is_dtype = node.op->slots()[i].kind == graph::SlotKind::kDtype &&
                          node.arguments[i].is_constant() && node.arguments[i].constant().isInt();
    if (is_dtype) size.dtypes += DtypeRank(static_cast<at::ScalarType>(node.arguments[i].constant().toInt()));
  }
}

auto CheapParts(const Size& size) {
  return std::tie(size.operators, size.adapters, size.operator_complexity, size.outputs, size.inputs,
                  size.frozen, size.elements, size.attributes, size.dtypes);
}

size_t ComplexityOfAll(const std::vector<at::Tensor>& tensors, const std::vector<at::Tensor>& others) {
  size_t sum = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    // What both have is the same on both sides.
    const bool is_shared = tensors.size() == others.size() &&
                           tensors[i].unsafeGetTensorImpl() == others[i].unsafeGetTensorImpl();
    if (!is_shared) sum += ContentsComplexity(tensors[i]);
  }
  return sum;
}

}  // namespace

std::strong_ordering Size::operator<=>(const Size& other) const {
  const std::strong_ordering cheap = CheapParts(*this) <=> CheapParts(other);
  if (cheap != 0) return cheap;
  return ComplexityOfAll(tensors, other.tensors) <=> ComplexityOfAll(other.tensors, tensors);
}

Size SizeOf(const Program& program) {
  Size size;
  const graph::Graph& graph = program.graph;
  for (const graph::Node& node : graph.nodes()) CountNode(node, size);
  size.outputs = graph.outputs().size();
  size.inputs = program.inputs.size() + graph.constants().size();
  size.frozen = graph.constants().size() +
                std::ranges::count_if(graph.placeholders(), [](const graph::Placeholder& placeholder) {
                  return placeholder.kind != graph::PlaceholderKind::kInput;
                });
  for (const Leaf& leaf : LeavesOf(program)) {
    size.elements += leaf.tensor.numel();
    size.dtypes += DtypeRank(leaf.tensor.scalar_type());
    size.tensors.push_back(leaf.tensor);
  }
  return size;
}

}  // namespace culprit::minify
