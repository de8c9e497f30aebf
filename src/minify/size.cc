// SPDX-License-Identifier: Apache-2.0
#include "minify/size.h"

#include <algorithm>
#include <string_view>

namespace culprit::minify {
namespace {

constexpr std::string_view kAdapters[] = {"aten::view",   "aten::reshape", "aten::_reshape_alias",
                                          "aten::expand", "aten::narrow",  "aten::_to_copy",
                                          "aten::slice"};

int64_t ElementsOf(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() ? value.toTensor().numel() : 0;
}

}  // namespace

Size SizeOf(const Program& program) {
  Size size;
  for (const graph::Node& node : program.graph.nodes()) {
    ++(std::ranges::count(kAdapters, node.op->name()) > 0 ? size.adapters : size.operators);
  }
  size.outputs = program.graph.outputs().size();
  size.inputs = program.inputs.size() + program.graph.constants().size();
  for (const c10::IValue& input : program.inputs) size.elements += ElementsOf(input);
  for (const graph::TensorConstant& constant : program.graph.constants())
    size.elements += constant.tensor.numel();
  return size;
}

}  // namespace culprit::minify
