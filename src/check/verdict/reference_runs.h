// SPDX-License-Identifier: Apache-2.0
//
// The runs of the reference that a check needs: two that have to agree, two more that tell what depends on
// memory that nobody wrote, and runs that are moved by as much as rounding may move them.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/model/model.h"
#include "check/run/run_model.h"
#include "compare/undefined_elements.h"

namespace culprit::check {

/// A run on inputs that are a unit in the last place off, and rounded another way where the model lets us.
struct NudgedRun {
  /// All calls as one tree; nothing if the moved inputs are out of range for the model.
  std::optional<c10::IValue> tree;
  /// How many numbers were rounded another way.
  size_t moved = 0;
  bool may_overflow = false;
};

class ReferenceRuns {
 public:
  /// All have to stay. `one_call`: one stands for all that the candidate makes.
  ReferenceRuns(const Model& reference, const std::vector<c10::IValue>& inputs, const RunOptions& run,
                bool one_call)
      : reference_(reference),
        inputs_(inputs),
        run_(run),
        calls_(one_call ? 1 : run.calls),
        has_unwritten_memory_(reference.Filled(Filling::kNan) != nullptr) {}

  int calls() const { return calls_; }
  bool has_unwritten_memory() const { return has_unwritten_memory_; }
  /// Of the first run, without what earlier calls left behind.
  int64_t bytes_of_a_run() const { return bytes_of_a_run_; }

  RunEnd RunFirst();
  RunEnd RunAgain() const;

  /// As if the first run had made all calls that the candidate makes. The second one tells what is the
  /// model's own, such as a constant, and the same in all of them.
  void RepeatCalls(std::vector<Results>& calls, const std::vector<Results>& second) const;

  /// What differs between runs that only differ in what unwritten memory holds. `warnings` gets a sentence
  /// for each.
  compare::UndefinedElements FindUndefined(const c10::IValue& first, const c10::IValue& second,
                                           std::vector<std::string>& warnings) const;

  /// Without `moves_inputs` only the rounding is moved, if the model lets us.
  NudgedRun RunNudged(uint64_t pattern, bool moves_inputs, bool with_state) const;

 private:
  RunEnd RunFilled(Filling filling, std::string_view phase) const;
  RunEnd Run(const Model& reference, const std::vector<c10::IValue>& inputs, std::string_view phase) const;

  const Model& reference_;
  const std::vector<c10::IValue>& inputs_;
  const RunOptions& run_;
  const int calls_;
  const bool has_unwritten_memory_;
  int64_t bytes_of_a_run_ = 0;
};

/// In main memory; what is shared counts once.
int64_t BytesOf(const std::vector<c10::IValue>& values);

/// Of a copy of the inputs, whose phases are no phases of the check.
RunOptions QuietRun(RunOptions run);

}  // namespace culprit::check
