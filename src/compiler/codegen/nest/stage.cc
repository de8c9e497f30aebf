// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/nest/stage.h"

#include <optional>

#include "compiler/codegen/analysis/shape.h"
#include "compiler/codegen/math/casts.h"
#include "compiler/codegen/nest/memory_access.h"
#include "compiler/codegen/nest/range.h"
#include "compiler/codegen/nest/reduction.h"
#include "compiler/loops/type_rules.h"

namespace culprit::compiler::codegen {
namespace {

using llvm::Value;
using loops::LoopKind;

class StageWriter {
 public:
  StageWriter(Expressions& expressions, size_t number)
      : expressions_(expressions),
        code_(expressions.code()),
        kernel_(expressions.kernel()),
        stage_(kernel_.stages[number]),
        number_(number),
        lane_(LaneVariable(kernel_, stage_)),
        lanes_are_inner_(lane_ && kernel_.lanes == loops::Lanes::kInner),
        variables_(kernel_.extents.size()) {}

  void Write() {
    expressions_.BeginStage(lane_, number_);
    expressions_.Place();
    if (stage_.kind != LoopKind::kPointwise) MakeAccumulator();
    // A scan begins again where its last loop does.
    if (stage_.kind != LoopKind::kPointwise) accumulator_->Start();
    Loops(0);
    if (stage_.kind == LoopKind::kReduction)
      expressions_.SetRow(number_, lanes_are_inner_ ? accumulator_->Whole() : accumulator_->InLanes());
  }

 private:
  Value* Extent(uint32_t variable) { return expressions_.Of(kernel_.extents[variable]); }

  void MakeAccumulator() {
    const loops::Type type = kernel_.body.type(stage_.combined);
    accumulator_.emplace(
        code_, stage_.combine, type,
        Accumulator::Shape{.lanes = lane_ ? code_.lanes : 1, .copies = Copies(), .in_blocks = InBlocks()});
  }

  unsigned Copies() const { return CopiesOf(kernel_, stage_, code_.shape); }

  bool InBlocks() {
    if (stage_.kind != LoopKind::kReduction || stage_.variables.empty()) return false;
    if (!WantsBlocks(stage_.combine, kernel_.body.type(stage_.combined))) return false;
    int64_t count = 1;
    for (const uint32_t variable : stage_.variables) {
      const auto* extent = llvm::dyn_cast<llvm::ConstantInt>(Extent(variable));
      if (extent == nullptr) return true;
      count *= extent->getSExtValue();
    }
    return count > kBlock * Copies() * Step();
  }

  int64_t Step() const { return lanes_are_inner_ ? code_.lanes : 1; }

  void Loops(size_t position) {
    if (position == stage_.variables.size()) return Body(0);
    const uint32_t variable = stage_.variables[position];
    if (position + 1 == stage_.variables.size()) return InnermostLoop(variable);
    expressions_.scopes().Loop(code_.Long(0), Extent(variable), 1, [&](Value* index) {
      SetVariable(variable, index);
      Loops(position + 1);
    });
  }

  void InnermostLoop(uint32_t variable) {
    Range range{.from = code_.Long(0), .to = Extent(variable), .step = Step(), .copies = Copies()};
    if (InBlocks()) range.end_block = [&] { accumulator_->EndBlock(); };
    if (stage_.kind == LoopKind::kScan) accumulator_->Start();
    WriteRange(expressions_, range, [&](Value* first, unsigned copy) {
      SetVariable(variable, first);
      Body(copy);
    });
  }

  void SetVariable(uint32_t variable, Value* value) {
    variables_[variable] = value;
    expressions_.SetVariable(variable, value);
  }

  Value* Computed(loops::ExprId id) { return lane_ ? expressions_.InLanes(id) : expressions_.Of(id); }

  void Body(unsigned copy) {
    expressions_.Place();
    // All values before the first store: what is stored may lie where something is read.
    llvm::SmallVector<Value*, 4> values;
    for (size_t i = 0; i < stage_.stores.size(); ++i) {
      const bool is_combined = stage_.kind == LoopKind::kScan && i == 0;
      values.push_back(is_combined ? nullptr : Computed(stage_.stores[i].value));
    }
    if (accumulator_) {
      Value* place = loops::FindsPlace(stage_.combine) ? Place() : nullptr;
      Value* mask = lanes_are_inner_ ? expressions_.rest().mask : nullptr;
      accumulator_->Add(copy, Computed(stage_.combined), place, mask);
      if (stage_.kind == LoopKind::kScan) values[0] = CombinedSoFar();
    }
    for (size_t i = 0; i < stage_.stores.size(); ++i) BufferStore(expressions_, stage_.stores[i], values[i]);
  }

  Value* CombinedSoFar() {
    if (loops::FindsPlace(stage_.combine)) return accumulator_->InLanes();
    const at::ScalarType stored = kernel_.buffers[stage_.stores[0].buffer].dtype;
    return Cast(code_, accumulator_->InLanes(), kernel_.body.type(stage_.combined),
                loops::TypeInRegisters(stored));
  }

  /// The number of the iteration, counted through all variables; of a scan along its last one.
  Value* Place() {
    llvm::IRBuilder<>& builder = code_.builder;
    Value* place = code_.Long(0);
    for (const uint32_t variable : stage_.variables) {
      if (stage_.kind == LoopKind::kScan && variable != stage_.variables.back()) continue;
      place = builder.CreateAdd(builder.CreateMul(place, Extent(variable)), variables_[variable]);
    }
    if (!lane_) return place;
    place = code_.Splat(place);
    return lanes_are_inner_ ? builder.CreateAdd(place, code_.Iota(builder.getInt64Ty())) : place;
  }

  Expressions& expressions_;
  FunctionWriter& code_;
  const loops::Kernel& kernel_;
  const loops::Stage& stage_;
  size_t number_;
  std::optional<uint32_t> lane_;
  bool lanes_are_inner_;
  std::vector<Value*> variables_;
  std::optional<Accumulator> accumulator_;
};

}  // namespace

void WriteStage(Expressions& expressions, size_t number) {
  StageWriter(expressions, number).Write();
}

}  // namespace culprit::compiler::codegen
