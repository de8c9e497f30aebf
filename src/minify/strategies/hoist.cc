// SPDX-License-Identifier: Apache-2.0
//
// Random operators become inputs with what they drew (graph/passes/hoist_random.h), if the failure stays:
// whatever is cut out later computes with the same numbers.
#include "graph/passes/hoist_random.h"

#include <algorithm>

#include "minify/strategies/list_of_edits.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

base::Result<Program> Hoist(const Subject& subject) {
  graph::HoistedGraph hoisted = CULPRIT_TRY(graph::HoistRandom(subject.graph(), subject.recording()));
  Program program{std::move(hoisted.graph), subject.program().inputs};
  for (c10::IValue& input : hoisted.added_inputs) program.inputs.push_back(std::move(input));
  return program;
}

std::vector<Edit> EditsOf(const Subject& subject) {
  if (std::ranges::none_of(subject.graph().nodes(), &graph::DrawsRandomNumbers)) return {};
  return {{"make what random operators draw inputs", &Hoist, Acceptance::kIfItFails}};
}

}  // namespace

std::unique_ptr<Strategy> MakeHoist() {
  return std::make_unique<ListOfEdits>(&EditsOf);
}

}  // namespace culprit::minify::strategies
