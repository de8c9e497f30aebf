// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/analysis/read_ahead.h"

#include <c10/core/ScalarType.h>

#include <algorithm>
#include <limits>
#include <set>

#include "compiler/codegen/analysis/shape.h"
#include "compiler/loops/stage_uses.h"

namespace culprit::compiler::codegen {

using loops::ExprId;
using loops::Kernel;
using loops::Op;
using loops::Stage;

namespace {

// What is smaller is in the processor's own memory, or soon will be.
constexpr double kFewBytes = 256 << 10;

bool Stores(const Stage& stage, uint32_t buffer) {
  return std::ranges::any_of(stage.stores,
                             [&](const loops::BufferStore& store) { return store.buffer == buffer; });
}

/// How many iterations the variables have that each expression is made from.
std::vector<double> CountPlaces(const Kernel& kernel) {
  std::vector<std::set<uint32_t>> variables;
  std::vector<double> counts;
  for (const loops::Expression& expression : kernel.body.expressions()) {
    std::set<uint32_t>& of = variables.emplace_back();
    if (expression.op == Op::kIndex) of.insert(static_cast<uint32_t>(expression.integer));
    for (const ExprId operand : expression.operands)
      of.insert(variables[Index(operand)].begin(), variables[Index(operand)].end());
    double count = 1;
    for (const uint32_t variable : of) {
      const std::optional<int64_t> extent = FixedExtent(kernel, variable);
      const double iterations =
          extent ? static_cast<double>(*extent) : std::numeric_limits<double>::infinity();
      count *= iterations;
    }
    counts.push_back(count);
  }
  return counts;
}

}  // namespace

ReadAhead::ReadAhead(const Kernel& kernel)
    : kernel_(kernel), places_(CountPlaces(kernel)), stage_of_rows_(StageToReadAheadIn(kernel)) {}

ReadAheadDistance ReadAhead::Along(size_t stage) const {
  const size_t variables = kernel_.stages[stage].variables.size();
  if (kernel_.lanes == loops::Lanes::kOuter)
    return variables == 0 ? ReadAheadDistance::kPage : ReadAheadDistance::kNone;
  if (variables != 1 || kernel_.outer == 0) return ReadAheadDistance::kNone;
  return stage_of_rows_ ? ReadAheadDistance::kRow : ReadAheadDistance::kPage;
}

bool ReadAhead::IsFar(uint32_t buffer, ExprId place) const {
  return places_[Index(place)] * static_cast<double>(c10::elementSize(kernel_.buffers[buffer].dtype)) >=
         kFewBytes;
}

ReadAheadDistance ReadAhead::OfLoad(size_t stage, uint32_t buffer, ExprId place) const {
  if (kernel_.buffers[buffer].is_written || !IsFar(buffer, place)) return ReadAheadDistance::kNone;
  if (stage_of_rows_) return stage == *stage_of_rows_ ? ReadAheadDistance::kRow : ReadAheadDistance::kNone;
  for (size_t before = 0; before < stage; ++before)
    if (!PlacesLoaded(kernel_, kernel_.stages[before], buffer).empty()) return ReadAheadDistance::kNone;
  return Along(stage);
}

ReadAheadDistance ReadAhead::OfStore(size_t stage, const loops::BufferStore& store) const {
  if (!IsFar(store.buffer, store.index)) return ReadAheadDistance::kNone;
  for (size_t before = 0; before < stage; ++before)
    if (Stores(kernel_.stages[before], store.buffer)) return ReadAheadDistance::kNone;
  return Along(stage);
}

}  // namespace culprit::compiler::codegen
