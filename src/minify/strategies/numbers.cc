// SPDX-License-Identifier: Apache-2.0
//
// Tensors with one element that are only read, and only next to other tensors, become numbers in the calls.
//
//   s = [[2.5]]; y = mul(x, s)   =>   y = mul(x, 2.5)
#include <fmt/format.h>

#include <algorithm>

#include "minify/program/leaves.h"
#include "minify/rewrite/replace_leaves.h"
#include "minify/rewrite/rewrite.h"
#include "minify/strategies/list_of_edits.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using Names = std::vector<std::string>;
using graph::Argument;
using graph::ValueId;

bool IsNumber(const Leaf& leaf) {
  return leaf.is_replaceable && leaf.tensor.numel() == 1 && !leaf.tensor.is_complex() &&
         !leaf.tensor.requires_grad();
}

Argument NumberIn(const at::Tensor& tensor) {
  if (tensor.scalar_type() == at::kBool) return Argument(c10::IValue(tensor.item<bool>()));
  if (tensor.is_floating_point()) return Argument(c10::IValue(tensor.item<double>()));
  return Argument(c10::IValue(tensor.item<int64_t>()));
}

/// A number has no shape, so the first operand has to be a tensor; and nobody can write into it.
bool TakesNumber(const graph::Node& node, size_t argument) {
  return argument > 0 && node.arguments[0].is_value() && node.arguments[argument].is_value() &&
         node.op->slots()[argument].kind == graph::SlotKind::kTensor && !node.op->writes_any();
}

Replacements NumbersOf(const Program& program) {
  Replacements numbers;
  for (const Leaf& leaf : LeavesOf(program)) {
    if (IsNumber(leaf)) numbers.emplace(leaf.value, NumberIn(leaf.tensor));
  }
  const auto keep = [&](const Argument& argument) {
    ForEachValue(argument, [&](ValueId id) { numbers.erase(id); });
  };
  for (const graph::Node& node : program.graph.nodes()) {
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (!TakesNumber(node, i)) keep(node.arguments[i]);
    }
  }
  for (const Argument& output : program.graph.outputs()) keep(output);
  return numbers;
}

base::Result<Program> WriteNumbers(const Subject& subject, const Names& names) {
  Replacements numbers = NumbersOf(subject.program());
  std::erase_if(numbers, [&](const auto& number) {
    return std::ranges::count(names, subject.graph().value(number.first).name) == 0;
  });
  return IfItRuns(CULPRIT_TRY(ReplaceLeaves(subject.program(), numbers)));
}

std::vector<Edit> EditsOf(const Subject& subject) {
  Names names;
  for (const auto& [leaf, number] : NumbersOf(subject.program()))
    names.push_back(subject.graph().value(leaf).name);
  std::vector<Edit> edits;
  if (names.size() > 1) {
    edits.push_back({"write all one-element tensors as numbers",
                     [names](const Subject& now) { return WriteNumbers(now, names); }});
  }
  for (const std::string& name : names) {
    edits.push_back({fmt::format("write {} as a number", name),
                     [name](const Subject& now) { return WriteNumbers(now, {name}); }});
  }
  return edits;
}

}  // namespace

std::unique_ptr<Strategy> MakeNumbers() {
  return std::make_unique<ListOfEdits>(&EditsOf);
}

}  // namespace culprit::minify::strategies
