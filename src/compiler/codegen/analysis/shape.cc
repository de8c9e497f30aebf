// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/analysis/shape.h"

#include <algorithm>
#include <bit>

#include "compiler/codegen/analysis/dependence.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Expression;
using loops::ExprId;
using loops::Op;

constexpr unsigned kCostOfFunction = 24;
constexpr unsigned kCostOfPlace = 8;

/// The expressions that a stage computes in lanes. Indices that rise evenly are not among them.
class Walk {
 public:
  Walk(const loops::Kernel& kernel, const loops::Stage& stage)
      : kernel_(kernel),
        dependence_(Analyse(kernel, LaneVariable(kernel, stage), kernel.lanes == loops::Lanes::kOuter)),
        is_seen_(kernel.body.expressions().size()) {
    if (stage.kind != loops::LoopKind::kPointwise) {
      Visit(stage.combined);
      largest_ = std::max(largest_, c10::elementSize(kernel.body.type(stage.combined)));
    }
    for (size_t i = 0; i < stage.stores.size(); ++i) {
      const bool has_value = stage.kind != loops::LoopKind::kScan || i > 0;
      if (has_value) Visit(stage.stores[i].value);
      VisitIndex(stage.stores[i].index);
      SeeBuffer(stage.stores[i].buffer);
    }
    if (stage.kind != loops::LoopKind::kPointwise && loops::FindsPlace(stage.combine)) {
      largest_ = 8;
      cost_ += kCostOfPlace;
    }
  }

  size_t largest() const { return largest_; }
  unsigned cost() const { return cost_; }
  /// All that is loaded or stored lies side by side.
  bool is_consecutive() const { return is_consecutive_; }

 private:
  void Visit(ExprId id) {
    if (is_seen_[Index(id)] || !dependence_.varies[Index(id)]) return;
    is_seen_[Index(id)] = true;
    const Expression& expression = kernel_.body[id];
    if (!dependence_.is_small[Index(id)]) largest_ = std::max(largest_, c10::elementSize(expression.type));
    cost_ += IsFunction(expression.op) ? kCostOfFunction : 1;
    if (expression.op == Op::kLoad) {
      SeeBuffer(static_cast<uint32_t>(expression.integer));
      VisitIndex(expression.operands[0]);
      if (expression.masked) Visit(expression.operands[1]);
      return;
    }
    for (const ExprId operand : expression.operands) Visit(operand);
  }

  void VisitIndex(ExprId id) {
    const std::optional<int64_t> step = dependence_.steps[Index(id)];
    is_consecutive_ = is_consecutive_ && step && (*step == 0 || *step == 1);
    if (!dependence_.is_affine[Index(id)]) Visit(id);
  }

  void SeeBuffer(uint32_t buffer) {
    largest_ = std::max(largest_, c10::elementSize(kernel_.buffers[buffer].dtype));
  }

  static bool IsFunction(Op op) {
    return (op >= Op::kExp && op <= Op::kLgamma) || op == Op::kPow || op == Op::kAtan2 || op == Op::kHypot;
  }

  const loops::Kernel& kernel_;
  Dependence dependence_;
  std::vector<bool> is_seen_;
  size_t largest_ = 4;
  unsigned cost_ = 0;
  bool is_consecutive_ = true;
};

/// Of two registers each, so that no combination waits for the one before it: less, the more there is to
/// compute for each value.
unsigned AccumulatorsFor(unsigned cost) {
  constexpr unsigned kCheap = 8;
  constexpr unsigned kModerate = 20;
  return cost <= kCheap ? 4 : cost <= kModerate ? 2 : 1;
}

/// Functions are long chains of operations, each of which waits for the one before.
unsigned PairsFor(unsigned cost) {
  return cost >= kCostOfFunction ? 2 : 1;
}

}  // namespace

std::optional<int64_t> FixedExtent(const loops::Kernel& kernel, uint32_t variable) {
  const Expression& extent = kernel.body[kernel.extents[variable]];
  return extent.op == Op::kConstant ? std::optional(extent.integer) : std::nullopt;
}

std::optional<uint32_t> LaneVariable(const loops::Kernel& kernel, const loops::Stage& stage) {
  if (kernel.lanes == loops::Lanes::kOuter) return kernel.outer - 1;
  // A scan needs what comes before.
  if (stage.variables.empty() || stage.kind == loops::LoopKind::kScan) return std::nullopt;
  return stage.variables.back();
}

Shape ShapeOf(const loops::Kernel& kernel, const Processor& processor, Route route) {
  if (route == Route::kLlvmO3) return {};
  size_t largest = 4;
  unsigned cost = 0;
  uint64_t longest = 1;
  bool is_wider = kernel.lanes == loops::Lanes::kOuter;
  bool reduces = false;
  for (const loops::Stage& stage : kernel.stages) {
    const Walk walk(kernel, stage);
    largest = std::max(largest, walk.largest());
    cost = std::max(cost, walk.cost());
    is_wider = is_wider && walk.is_consecutive();
    reduces = reduces || stage.kind == loops::LoopKind::kReduction;
    if (const auto variable = LaneVariable(kernel, stage)) {
      const std::optional<int64_t> extent = FixedExtent(kernel, *variable);
      longest = std::max(longest, extent ? static_cast<uint64_t>(*extent) : UINT32_MAX);
    }
  }
  const uint64_t two_registers = 2 * processor.register_bits / 8 / largest;
  constexpr uint64_t kLeast = 4;
  const unsigned pairs = !is_wider ? 1 : reduces ? AccumulatorsFor(cost) : PairsFor(cost);
  const uint64_t lanes = std::clamp(std::bit_ceil(longest), kLeast, two_registers * pairs);
  return {.lanes = static_cast<unsigned>(lanes),
          .pairs = static_cast<unsigned>(std::max<uint64_t>(1, lanes / two_registers))};
}

std::optional<size_t> StageToReadAheadIn(const loops::Kernel& kernel) {
  if (kernel.lanes != loops::Lanes::kInner || kernel.outer == 0) return std::nullopt;
  // Shorter rows come by themselves: the processor reads ahead as well, where it has begun to read.
  constexpr int64_t kShortest = 256;
  std::optional<size_t> found;
  unsigned most = 1;
  for (size_t i = 1; i < kernel.stages.size(); ++i) {
    if (kernel.stages[i].variables.size() != 1) continue;
    if (FixedExtent(kernel, kernel.stages[i].variables[0]).value_or(kShortest) < kShortest) continue;
    const unsigned cost = Walk(kernel, kernel.stages[i]).cost();
    if (cost < most) continue;
    found = i;
    most = cost;
  }
  return found;
}

unsigned CopiesOf(const loops::Kernel& kernel, const loops::Stage& stage, const Shape& shape) {
  if (stage.kind != loops::LoopKind::kReduction || shape.lanes == 1 || stage.variables.empty()) return 1;
  const unsigned copies = std::max(1U, AccumulatorsFor(Walk(kernel, stage).cost()) / shape.pairs);
  const std::optional<int64_t> extent = FixedExtent(kernel, stage.variables.back());
  if (!extent) return copies;
  const uint64_t step = kernel.lanes == loops::Lanes::kOuter ? 1 : shape.lanes;
  const uint64_t steps = std::max<uint64_t>(1, static_cast<uint64_t>(*extent) / step);
  return std::min(copies, static_cast<unsigned>(std::bit_floor(steps)));
}

}  // namespace culprit::compiler::codegen
