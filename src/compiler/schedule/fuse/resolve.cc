// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/fuse/resolve.h"

#include <algorithm>

#include "compiler/schedule/fuse/decide_placements.h"
#include "compiler/schedule/index/simplify_index.h"

namespace culprit::compiler::schedule {
namespace {

using loops::Body;
using loops::BodyCopy;
using loops::Expression;
using loops::ExprId;
using loops::Loop;
using loops::LoopProgram;
using loops::Op;
using loops::Value;
using loops::ValueIndex;

// Copies loops into one body, those of inlined values in the place of loads.
class Inliner {
 public:
  Inliner(const LoopProgram& program, const std::vector<Placement>& placements, std::vector<int64_t> extents,
          NumberWriter numbers, Loop& target, std::set<ValueIndex>& inlined)
      : program_(program),
        fates_(placements),
        extents_(std::move(extents)),
        numbers_(numbers),
        loop_(target),
        target_(target.body),
        inlined_(inlined) {}

  ExprId Copy(const Body& source, ExprId id) {
    BodyCopy copy(source, target_, [&](const Expression& expression, BodyCopy& copy) {
      return Replaced(expression, copy, std::nullopt);
    });
    return copy(id);
  }

 private:
  /// `mask` is the one under which it is computed.
  std::optional<ExprId> Replaced(const Expression& expression, BodyCopy& copy, std::optional<ExprId> mask) {
    if (expression.op == Op::kLoad) {
      const ValueIndex source{static_cast<uint32_t>(expression.integer)};
      if (fates_[Index(source)] == Placement::kInlined) {
        inlined_.insert(source);
        return Inlined(*program_[source].loop, expression, copy, mask);
      }
    }
    if (expression.op == Op::kFloorDiv || expression.op == Op::kRemainder) {
      Expression here = expression;
      for (ExprId& operand : here.operands) operand = copy(operand);
      return SimplifiedIndex(target_, here, extents_, numbers_);
    }
    return std::nullopt;
  }

  void RelyOn(const std::vector<loops::Precondition>& preconditions) {
    for (const loops::Precondition& each : preconditions)
      if (std::ranges::find(loop_.preconditions, each) == loop_.preconditions.end())
        loop_.preconditions.push_back(each);
  }

  // The value at the indices of the load; where the load is masked, so is everything that the value loads,
  // through however many values that is.
  ExprId Inlined(const Loop& loop, const Expression& load, BodyCopy& copy, std::optional<ExprId> outer) {
    RelyOn(loop.preconditions);
    std::vector<ExprId> indices;
    for (const ExprId operand : load.operands) indices.push_back(copy(operand));
    std::optional<ExprId> own;
    if (load.masked) {
      own = indices.back();
      indices.pop_back();
    }
    const std::optional<ExprId> mask = own && outer ? target_.Apply(Op::kAnd, {*outer, *own})
                                       : own        ? own
                                                    : outer;
    BodyCopy inner(
        loop.body, target_,
        [&](const Expression& expression, BodyCopy& inner) -> std::optional<ExprId> {
          if (expression.op == Op::kIndex) return indices.at(static_cast<size_t>(expression.integer));
          return Replaced(expression, inner, mask);
        },
        mask);
    const ExprId value = inner(loop.result);
    if (!own) return value;
    return target_.Select(*own, value, target_.Constant(int64_t{0}, target_.type(value)));
  }

  const LoopProgram& program_;
  const std::vector<Placement>& fates_;
  std::vector<int64_t> extents_;
  NumberWriter numbers_;
  Loop& loop_;
  Body& target_;
  std::set<ValueIndex>& inlined_;
};

}  // namespace

std::vector<int64_t> ExtentsOf(const Value& value, const Loop& loop) {
  std::vector<int64_t> extents = value.sizes;
  extents.insert(extents.end(), loop.reduced.begin(), loop.reduced.end());
  return extents;
}

void ResolveLoop(const LoopProgram& program, ValueIndex index, NumberWriter numbers, Resolved& resolved) {
  const Value& value = program[index];
  Loop loop{.kind = value.loop->kind,
            .combine = value.loop->combine,
            .axis = value.loop->axis,
            .reduced = value.loop->reduced,
            .preconditions = value.loop->preconditions};
  Inliner inliner(program, resolved.placements, ExtentsOf(value, loop), numbers, loop,
                  resolved.inlined[Index(index)]);
  loop.result = inliner.Copy(value.loop->body, value.loop->result);
  resolved.loops[Index(index)] = std::move(loop);
}

Resolved Resolve(const LoopProgram& program, const ResolveOptions& options) {
  Resolved resolved = DecidePlacements(program, options);
  for (uint32_t i = 0; i < program.values.size(); ++i)
    if (resolved.placements[i] == Placement::kKept)
      ResolveLoop(program, ValueIndex{i}, options.numbers, resolved);
  return resolved;
}

}  // namespace culprit::compiler::schedule
