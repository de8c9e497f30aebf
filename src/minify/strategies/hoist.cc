// SPDX-License-Identifier: Apache-2.0
//
// Random operators become inputs with what they drew (graph/hoist_random.h), if the failure stays: whatever
// is cut out later computes with the same numbers.
#include "graph/hoist_random.h"

#include <algorithm>

#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

base::Result<Program> Hoist(const Subject& subject) {
  graph::HoistedGraph hoisted = CULPRIT_TRY(graph::HoistRandom(subject.graph(), subject.recording()));
  Program program{std::move(hoisted.graph), subject.program().inputs};
  for (c10::IValue& input : hoisted.added_inputs) program.inputs.push_back(std::move(input));
  return program;
}

bool IsRandom(const Subject& subject) {
  return std::ranges::any_of(subject.graph().nodes(), &graph::DrawsRandomNumbers);
}

class HoistStrategy : public Strategy {
 public:
  std::vector<Edit> Propose(const Subject& subject, size_t /*at_most*/) override {
    if (std::exchange(done_, true) || !IsRandom(subject)) return {};
    return {{"make what random operators draw inputs", &Hoist, Acceptance::kIfItFails}};
  }

  void Learn(std::span<const Learned>) override {}

 private:
  bool done_ = false;
};

}  // namespace

size_t BoundOfHoist(const Subject& subject) {
  return IsRandom(subject) ? 1 : 0;
}

std::unique_ptr<Strategy> MakeHoist() {
  return std::make_unique<HoistStrategy>();
}

}  // namespace culprit::minify::strategies
