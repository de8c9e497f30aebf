// SPDX-License-Identifier: Apache-2.0
#include "faults/wrong_loops.h"

#include "faults/wrong_numbers.h"

namespace culprit::faults {
namespace {

using compiler::loops::Body;
using compiler::loops::BodyCopy;
using compiler::loops::BufferStore;
using compiler::loops::Expression;
using compiler::loops::ExprId;
using compiler::loops::IsFloat;
using compiler::loops::Kernel;
using compiler::loops::Loop;
using compiler::loops::LoopKind;
using compiler::loops::Op;
using compiler::loops::Stage;
using compiler::loops::Type;

ExprId Opposite(Body& body, ExprId value) {
  return body.Apply(body.type(value) == Type::Bool ? Op::kNot : Op::kNeg, {value});
}

/// A kernel with another body, into which `leaf` puts other leaves.
Kernel Copied(const Kernel& kernel, BodyCopy::Leaf leaf) {
  Kernel copy = kernel;
  copy.body = {};
  BodyCopy copied(kernel.body, copy.body, std::move(leaf));
  for (ExprId& extent : copy.extents) extent = copied(extent);
  for (Stage& stage : copy.stages) {
    if (stage.kind != LoopKind::kPointwise) stage.combined = copied(stage.combined);
    for (BufferStore& store : stage.stores) {
      store.index = copied(store.index);
      store.value = copied(store.value);
    }
  }
  return copy;
}

std::optional<ExprId> ShiftedLoad(const Kernel& kernel, const Expression& expression, BodyCopy& copied) {
  if (expression.op != Op::kLoad) return std::nullopt;
  const auto buffer = static_cast<uint32_t>(expression.integer);
  // What the kernel itself has written may not be there yet.
  if (kernel.buffers[buffer].is_written) return std::nullopt;
  Body& body = copied.target();
  const ExprId one_earlier =
      body.Apply(Op::kSub, {copied(expression.operands[0]), body.Constant(1, Type::Long)});
  const ExprId place = body.Apply(Op::kMax, {one_earlier, body.Constant(0, Type::Long)});
  if (expression.masked)
    return body.MaskedLoad(buffer, expression.type, {place}, copied(expression.operands[1]));
  return body.Load(buffer, expression.type, {place});
}

/// The variable whose iterations are computed several at a time; nothing if the stage runs once.
std::optional<uint32_t> VariableOfLanes(const Kernel& kernel, const Stage& stage) {
  if (kernel.lanes == compiler::loops::Lanes::kOuter) return kernel.outer - 1;
  if (stage.variables.empty()) return std::nullopt;
  return stage.variables.back();
}

ExprId OffAtLast(Kernel& kernel, std::optional<uint32_t> variable, ExprId value) {
  Body& body = kernel.body;
  const ExprId off = OffByMuch(body, value);
  if (!variable) return off;
  const ExprId last = body.Apply(Op::kSub, {kernel.extents[*variable], body.Constant(1, Type::Long)});
  return body.Select(body.Apply(Op::kEq, {body.IndexOf(*variable), last}), off, value);
}

}  // namespace

ExprId OffByMuch(Body& body, ExprId value) {
  const Type type = body.type(value);
  if (type == Type::Bool) return body.Apply(Op::kNot, {value});
  if (!IsFloat(type)) return body.Apply(Op::kAdd, {value, body.Constant(1, type)});
  const ExprId size = body.Apply(Op::kAdd, {body.Apply(Op::kAbs, {value}), body.Constant(1.0, type)});
  return body.Apply(Op::kAdd, {value, body.Apply(Op::kMul, {size, body.Constant(kOff, type)})});
}

Loop WithWrongResult(const Loop& loop) {
  Loop wrong = loop;
  const bool finds_place = loop.kind != LoopKind::kPointwise && FindsPlace(loop.combine);
  wrong.result = finds_place ? Opposite(wrong.body, loop.result) : OffByMuch(wrong.body, loop.result);
  return wrong;
}

Loop WithStaleLoads(const Loop& loop, const std::function<bool(compiler::loops::ValueIndex)>& is_stale) {
  Loop stale = loop;
  stale.body = {};
  BodyCopy copied(loop.body, stale.body,
                  [&](const Expression& expression, BodyCopy& copy) -> std::optional<ExprId> {
                    if (expression.op != Op::kLoad) return std::nullopt;
                    if (!is_stale(compiler::loops::ValueIndex{static_cast<uint32_t>(expression.integer)}))
                      return std::nullopt;
                    return IsFloat(expression.type) ? copy.target().Constant(0.0, expression.type)
                                                    : copy.target().Constant(0, expression.type);
                  });
  stale.result = copied(loop.result);
  return stale;
}

Kernel WithShiftedLoads(const Kernel& kernel) {
  return Copied(kernel, [&](const Expression& expression, BodyCopy& copied) {
    return ShiftedLoad(kernel, expression, copied);
  });
}

Kernel WithWrongLastIteration(const Kernel& kernel) {
  Kernel wrong = kernel;
  for (Stage& stage : wrong.stages) {
    const std::optional<uint32_t> variable = VariableOfLanes(kernel, stage);
    if (stage.kind == LoopKind::kScan) stage.combined = OffAtLast(wrong, variable, stage.combined);
    for (BufferStore& store : stage.stores) store.value = OffAtLast(wrong, variable, store.value);
  }
  return wrong;
}

}  // namespace culprit::faults
