// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/fence_products.h"

namespace culprit::compiler::lower {
namespace {

using loops::Loop;
using loops::LoopProgram;
using loops::Op;

bool IsProduct(const Loop& loop) {
  loops::ExprId id = loop.result;
  while (loop.body[id].op == Op::kNeg) id = loop.body[id].operands[0];
  return loop.kind == loops::LoopKind::kPointwise && loop.body[id].op == Op::kMul &&
         loops::IsFloat(loop.body.type(id));
}

/// By value: how many read it, those that read a mere view of it included.
std::vector<int> CountReaders(const LoopProgram& program) {
  std::vector<int> readers(program.values.size());
  const auto add = [&](const graph::Argument& argument) {
    ForEachValue(argument, [&](graph::ValueId id) { ++readers[Index(program.value_of[Index(id)])]; });
  };
  for (const graph::Argument& output : program.graph->outputs()) add(output);
  for (size_t i = program.values.size(); i-- > 0;) {
    const loops::Value& value = program.values[i];
    if (!value.loop) {
      if (value.node && value.result == 0)
        for (const graph::Argument& argument : program.graph->node(*value.node).arguments) add(argument);
      continue;
    }
    const Loop& loop = *value.loop;
    const bool is_view = loop.kind == loops::LoopKind::kPointwise && loop.body[loop.result].op == Op::kLoad;
    for (const loops::Expression& expression : loop.body.expressions())
      if (expression.op == Op::kLoad)
        readers[static_cast<size_t>(expression.integer)] += is_view ? readers[i] : 1;
  }
  return readers;
}

}  // namespace

void FenceProducts(LoopProgram& program) {
  const std::vector<int> readers = CountReaders(program);
  for (size_t i = 0; i < program.values.size(); ++i) {
    loops::Value& value = program.values[i];
    if (!value.loop || readers[i] < 2 || !IsProduct(*value.loop)) continue;
    Loop fenced = *value.loop;
    fenced.result = fenced.body.Apply(Op::kFence, {fenced.result});
    value.loop = std::make_shared<const Loop>(std::move(fenced));
  }
}

}  // namespace culprit::compiler::lower
