// SPDX-License-Identifier: Apache-2.0
//
// What one capture has made: a stretch of the program that begins in a state like the one it was captured in,
// runs as one graph, and ends with a return or in front of the instruction that broke it.
//
//   guards hold?  =>  the graph runs on what the guards have found  =>  the state behind it
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "capture/breaks/breaks.h"
#include "capture/breaks/code_origin.h"
#include "capture/guards/aliasing.h"
#include "capture/guards/guard.h"
#include "capture/guards/modes.h"
#include "capture/state/checkpoint.h"
#include "capture/state/state_plan.h"
#include "graph/sizes/expressions/condition.h"
#include "graph/sizes/generalise/verdicts.h"

namespace culprit::capture {

/// Why a segment does not reach to the end of the program.
struct Break {
  BreakKind kind;
  std::string reason;
  CodeOrigin origin;
};

/// Where a symbol is found in a call.
struct SymbolSource {
  enum class Kind : uint8_t { kSize, kStride, kNumber };
  SourceId source;
  Kind kind = Kind::kSize;
  size_t dimension = 0;
  size_t symbol = 0;
  bool operator==(const SymbolSource&) const = default;
};

/// What was decided by sizes.
struct SizeCondition {
  graph::sizes::Condition condition;
  CodeOrigin origin;
};

struct Segment {
  /// `<program>_<n>_captured`
  std::string name;
  graph::Graph graph;
  /// Of each node.
  std::vector<CodeOrigin> origins;
  Modes modes;
  std::vector<Guard> guards;
  Aliasing aliasing;
  /// Every place of every symbol, in the order of the symbols; the first place of each says what it is.
  std::vector<SymbolSource> symbol_sources;
  std::vector<SizeCondition> conditions;
  /// If there are symbols: the way that the walk has gone (capture/numbers/number_log.h), and for which sizes
  /// the segment was compared with the program (capture/sizes/compare_now.h).
  uint64_t path = 0;
  std::shared_ptr<graph::sizes::Verdicts> verdicts;
  /// Sizes that might have been symbols, and what forced each to be a number.
  std::vector<std::string> fixed_sizes;
  /// The guards of each placeholder.
  std::vector<SourceId> inputs;
  /// Symbols that are placeholders themselves, behind those.
  std::vector<size_t> symbol_inputs;
  StatePlan plan;
  /// In the order of their nodes.
  std::vector<Checkpoint> checkpoints;
  /// Nothing if the program returns.
  std::optional<Break> end;
  /// Null if the graph has no operators.
  std::shared_ptr<backend::Compiled> compiled;

  /// Operators that were computed on zeros, for want of a better rule.
  std::map<std::string, int64_t> fallbacks;
  size_t inlined_calls = 0;
  double capture_seconds = 0;
  double compile_seconds = 0;
  /// One check of all guards.
  double guard_seconds = 0;
};

/// The values of all guards in the state that it was captured from.
std::vector<const c10::IValue*> FindAll(const Segment& segment, const vm::State& start);

/// Why the segment does not fit the state; nothing if it does. `found` is what Run wants then.
std::optional<std::string> Mismatch(const Segment& segment, const vm::State& state,
                                    std::vector<const c10::IValue*>& found);
/// As Mismatch, without the reason, which takes time.
bool Fits(const Segment& segment, const vm::State& state, std::vector<const c10::IValue*>& found);
/// Whether a segment that fits may be used: unless it has no symbols, it has to be compared first, and to do
/// the same.
bool IsProved(const Segment& segment, const std::vector<const c10::IValue*>& found);

/// What each symbol is in this call.
std::vector<int64_t> SymbolsOf(const Segment& segment, const std::vector<const c10::IValue*>& found);

std::vector<c10::IValue> InputsOf(const Segment& segment, const std::vector<const c10::IValue*>& found);

/// Takes the state from the segment's beginning to its end. If the graph throws, and the backend
/// knows at which node, then `failed` is that node, and what stands before it has happened.
void Run(const Segment& segment, const std::vector<const c10::IValue*>& found, vm::State& state,
         std::optional<graph::NodeId>& failed);

}  // namespace culprit::capture
