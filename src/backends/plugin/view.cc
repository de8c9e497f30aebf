// SPDX-License-Identifier: Apache-2.0
#include "backends/plugin/view.h"

#include <c10/core/Layout.h>
#include <fmt/format.h>

#include "backend/refusal.h"

namespace culprit::backends::plugin {
namespace {

CulpritArgument OfKind(CulpritArgumentKind kind) {
  CulpritArgument argument = {};
  argument.kind = kind;
  return argument;
}

CulpritArgument Integer(CulpritArgumentKind kind, int64_t integer) {
  CulpritArgument argument = OfKind(kind);
  argument.as.integer = integer;
  return argument;
}

void CheckIsPlainMemory(const at::Tensor& tensor, std::string_view what) {
  const char* reason = tensor.layout() != at::kStrided ? "sparse"
                       : tensor.is_quantized()         ? "quantised"
                       : tensor.is_conj()              ? "lazily conjugated"
                       : tensor.is_neg()               ? "lazily negated"
                                                       : nullptr;
  if (reason != nullptr)
    throw backend::Refusal(fmt::format("{} is {}, which a plug-in cannot read", what, reason));
}

CulpritArgumentKind KindOfInt(graph::SlotKind slot) {
  switch (slot) {
    case graph::SlotKind::kDtype:
      return CULPRIT_DTYPE;
    case graph::SlotKind::kLayout:
      return CULPRIT_LAYOUT;
    case graph::SlotKind::kMemoryFormat:
      return CULPRIT_MEMORY_FORMAT;
    default:
      return CULPRIT_INT;
  }
}

int32_t OriginOf(const graph::Graph& graph, const graph::Value& value) {
  if (value.origin == graph::Origin::kNode) return CULPRIT_FROM_NODE;
  if (value.origin == graph::Origin::kConstant) return CULPRIT_FROM_CONSTANT;
  switch (graph.placeholders()[value.origin_index].kind) {
    case graph::PlaceholderKind::kInput:
      return CULPRIT_FROM_INPUT;
    case graph::PlaceholderKind::kParameter:
      return CULPRIT_FROM_PARAMETER;
    case graph::PlaceholderKind::kBuffer:
      return CULPRIT_FROM_BUFFER;
  }
  return CULPRIT_FROM_INPUT;
}

// The two enumerations are cast to each other.
static_assert(int{CULPRIT_VALUE_TENSOR} == int(graph::ValueKind::kTensor));
static_assert(int{CULPRIT_VALUE_TENSOR_LIST} == int(graph::ValueKind::kTensorList));
static_assert(int{CULPRIT_VALUE_INT} == int(graph::ValueKind::kInt));
static_assert(int{CULPRIT_VALUE_INT_LIST} == int(graph::ValueKind::kIntList));
static_assert(int{CULPRIT_VALUE_FLOAT} == int(graph::ValueKind::kFloat));
static_assert(int{CULPRIT_VALUE_BOOL} == int(graph::ValueKind::kBool));
static_assert(int{CULPRIT_VALUE_NUMBER} == int(graph::ValueKind::kNumber));
static_assert(int{CULPRIT_VALUE_GENERATOR} == int(graph::ValueKind::kGenerator));

static_assert(sizeof(CulpritArgument) == 24, "plug-ins rely on it");

}  // namespace

const CulpritTensor* Views::Tensor(const at::Tensor& tensor, at::Device device, bool with_data,
                                   std::string_view what) {
  CheckIsPlainMemory(tensor, what);
  TensorMemory& memory = tensors_.emplace_back();
  memory.sizes = tensor.sizes().vec();
  memory.strides = tensor.strides().vec();
  memory.view = {.dtype = static_cast<int32_t>(tensor.scalar_type()),
                 .ndim = static_cast<int32_t>(tensor.dim()),
                 .sizes = memory.sizes.data(),
                 .strides = memory.strides.data(),
                 .data = with_data && !tensor.is_meta() ? tensor.data_ptr() : nullptr,
                 .device = Text(device.str())};
  return &memory.view;
}

CulpritArgument Views::Value(const c10::IValue& value, bool with_data, std::string_view what) {
  if (value.isTensor()) {
    if (!value.toTensor().defined()) return OfKind(CULPRIT_NONE);
    CulpritArgument argument = OfKind(CULPRIT_TENSOR);
    argument.as.tensor = Tensor(value.toTensor(), value.toTensor().device(), with_data, what);
    return argument;
  }
  if (!value.isList()) return Constant(value, graph::SlotKind::kNumber);
  std::vector<CulpritArgument> elements;
  elements.reserve(value.toListRef().size());
  for (const c10::IValue& element : value.toListRef()) elements.push_back(Value(element, with_data, what));
  return List(std::move(elements));
}

CulpritArgument Views::Constant(const c10::IValue& constant, graph::SlotKind slot) {
  if (constant.isNone()) return OfKind(CULPRIT_NONE);
  if (constant.isInt()) return Integer(KindOfInt(slot), constant.toInt());
  if (constant.isBool()) return Integer(CULPRIT_BOOLEAN, constant.toBool() ? 1 : 0);
  if (constant.isDouble()) {
    CulpritArgument argument = OfKind(CULPRIT_FLOAT);
    argument.as.number = constant.toDouble();
    return argument;
  }
  if (constant.isComplexDouble()) {
    CulpritArgument argument = OfKind(CULPRIT_COMPLEX);
    argument.as.complex_number[0] = constant.toComplexDouble().real();
    argument.as.complex_number[1] = constant.toComplexDouble().imag();
    return argument;
  }
  if (!constant.isString() && !constant.isDevice()) return OfKind(CULPRIT_OPAQUE);
  const std::string text = constant.isString() ? constant.toStringRef() : constant.toDevice().str();
  CulpritArgument argument = OfKind(constant.isString() ? CULPRIT_STRING : CULPRIT_DEVICE);
  argument.length = static_cast<uint32_t>(text.size());
  argument.as.string = Text(text);
  return argument;
}

CulpritArgument Views::List(std::vector<CulpritArgument> elements) {
  CulpritArgument argument = OfKind(CULPRIT_LIST);
  argument.length = static_cast<uint32_t>(elements.size());
  argument.as.list = lists_.emplace_back(std::move(elements)).data();
  return argument;
}

const char* Views::Text(std::string text) {
  return texts_.emplace_back(std::move(text)).c_str();
}

GraphView::GraphView(const graph::Graph& graph) : graph_(graph) {
  for (const graph::Value& value : graph.values()) AddValue(value);
  for (const graph::Placeholder& placeholder : graph.placeholders()) AddPlaceholder(placeholder);
  for (const graph::Node& node : graph.nodes()) AddNode(node);
  for (const graph::Argument& output : graph.outputs())
    outputs_.push_back(Argument(output, {.kind = graph::SlotKind::kNumber}));
  view_ = {.struct_size = sizeof(CulpritGraph),
           .name = graph.name().c_str(),
           .value_count = static_cast<uint32_t>(values_.size()),
           .placeholder_count = static_cast<uint32_t>(placeholders_.size()),
           .node_count = static_cast<uint32_t>(nodes_.size()),
           .output_count = static_cast<uint32_t>(outputs_.size()),
           .values = values_.data(),
           .placeholders = placeholders_.data(),
           .nodes = nodes_.data(),
           .outputs = outputs_.data(),
           .symbols = symbols_.data()};
}

void GraphView::AddPlaceholder(const graph::Placeholder& placeholder) {
  placeholders_.push_back(Index(placeholder.value));
  std::vector<const char*>& names = symbol_memory_.emplace_back();
  for (const std::string& symbol : placeholder.symbols)
    names.push_back(symbol.empty() ? nullptr : symbol.c_str());
  symbols_.push_back(names.empty() ? nullptr : names.data());
}

void GraphView::AddValue(const graph::Value& value) {
  CulpritValue& view = value_memory_.emplace_back();
  view = {.name = value.name.c_str(),
          .kind = static_cast<int32_t>(value.kind),
          .origin = OriginOf(graph_, value),
          .origin_index = value.origin_index,
          .result_index = value.result_index};
  if (value.origin == graph::Origin::kConstant) {
    const graph::TensorConstant& constant = graph_.constants()[value.origin_index];
    view.constant = views_.Tensor(constant.tensor, constant.device, /*with_data=*/true,
                                  fmt::format("constant '{}'", value.name));
  }
  values_.push_back(&view);
}

void GraphView::AddNode(const graph::Node& node) {
  NodeMemory& memory = node_memory_.emplace_back();
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    memory.arguments.push_back(Argument(node.arguments[i], node.op->slots()[i]));
    memory.argument_names.push_back(node.op->schema().arguments()[i].name().c_str());
  }
  for (const graph::ValueId result : node.results) memory.results.push_back(Index(result));
  memory.view = {.op = node.op->name().c_str(),
                 .overload = node.op->overload().c_str(),
                 .argument_count = static_cast<uint32_t>(memory.arguments.size()),
                 .result_count = static_cast<uint32_t>(memory.results.size()),
                 .arguments = memory.arguments.data(),
                 .argument_names = memory.argument_names.data(),
                 .results = memory.results.data()};
  nodes_.push_back(&memory.view);
}

CulpritArgument GraphView::Argument(const graph::Argument& argument, const graph::Slot& slot) {
  if (argument.is_value()) {
    CulpritArgument view = OfKind(CULPRIT_VALUE);
    view.as.value = Index(argument.value());
    return view;
  }
  if (argument.is_constant()) return views_.Constant(argument.constant(), slot.kind);
  std::vector<CulpritArgument> elements;
  elements.reserve(argument.list().size());
  for (const graph::Argument& element : argument.list())
    elements.push_back(Argument(element, slot.element == nullptr ? slot : *slot.element));
  return views_.List(std::move(elements));
}

}  // namespace culprit::backends::plugin
