// SPDX-License-Identifier: Apache-2.0
//
// Native compilers that are wrong on purpose: the pipeline with one pass replaced by the pass and a mistake
// behind it.
#pragma once

#include <span>
#include <string_view>

#include "compiler/pipeline/pipeline.h"

namespace culprit::tests {

struct Mutant {
  std::string_view name;
  /// The pass that makes the mistake.
  std::string_view pass;
  /// Made behind the pass.
  void (*mistake)(compiler::pipeline::Compilation& compilation);
};

std::span<const Mutant> AllMutants();

compiler::pipeline::Pipeline PipelineOf(const Mutant& mutant);

}  // namespace culprit::tests
