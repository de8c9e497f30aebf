// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "compiler/schedule/arrange/accesses.h"

namespace culprit::compiler::schedule {

/// A new nest of loops for a kernel, in terms of the old variables.
struct LoopOrder {
  /// Old variables that become one, outermost first.
  using Merged = std::vector<uint32_t>;

  loops::Lanes lanes = loops::Lanes::kOuter;
  std::vector<Merged> outer;
  /// Of each stage.
  std::vector<std::vector<Merged>> stages;
};

LoopOrder ChooseOrder(const loops::Kernel& kernel, const std::optional<std::vector<uint32_t>>& outer,
                      const Accesses& accesses, const std::function<bool()>& applies);

}  // namespace culprit::compiler::schedule
