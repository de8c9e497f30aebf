// SPDX-License-Identifier: Apache-2.0
//
// A program with fewer placeholders.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "minify/program.h"

namespace culprit::minify {

/// What becomes of a placeholder: it is merged with an earlier one, or its value is written where it is used.
enum class InputFate : uint8_t { kStays, kGoes, kMerged, kInlined };

struct InputPlan {
  std::vector<InputFate> fates;
  /// Of merged ones: with which placeholder.
  std::vector<size_t> merged_with;
  bool changes = false;

  explicit InputPlan(size_t placeholders)
      : fates(placeholders, InputFate::kStays), merged_with(placeholders, 0) {}
  void Set(size_t placeholder, InputFate fate) {
    fates[placeholder] = fate;
    changes = true;
  }
};

/// Refused if the plan changes nothing.
base::Result<Program> ChangeInputs(const Program& program, const InputPlan& plan);

/// Refused if there are none.
base::Result<Program> DropUnusedInputs(const Program& program);

/// Without nodes, constants and inputs that nothing needs; the same program if there are none.
Program WithoutUnused(Program program);

}  // namespace culprit::minify
