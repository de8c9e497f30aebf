// SPDX-License-Identifier: Apache-2.0
#include "check/model/run_end.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compare/compare.h"
#include "tests/lib/values.h"

namespace culprit::check {
namespace {

using testing::ElementsAre;

Results ResultsOf(double value) {
  const auto tensor = [&] { return at::full({1}, value, at::kFloat); };
  Results results;
  results.outputs = tests::Tuple({tensor(), tests::Dict({{"logits", tensor()}})});
  results.input_gradients = tests::List({tensor(), c10::IValue()});
  results.parameter_gradients = {{"fc.weight", tensor()}};
  results.state = {{{"fc.weight", tensor()}}, {{"running_mean", tensor()}}};
  results.inputs = {tensor(), 3};
  return results;
}

std::vector<std::string> NamesOf(const c10::IValue& a, const c10::IValue& b) {
  std::vector<std::string> names;
  const compare::Verdict verdict = compare::Compare(a, b, std::nullopt, {});
  EXPECT_TRUE(verdict.mismatches.empty());
  for (const compare::Output& output : verdict.outputs) {
    EXPECT_FALSE(output.passes);
    names.push_back(output.path);
  }
  return names;
}

TEST(OutcomeTest, AVerdictNamesEveryResult) {
  EXPECT_THAT(
      NamesOf(AsTree({ResultsOf(1)}, true), AsTree({ResultsOf(2)}, true)),
      ElementsAre("outputs[0]", "outputs[1]['logits']", "gradients.parameters.fc.weight",
                  "gradients.inputs[0]", "parameters.fc.weight", "buffers.running_mean", "inputs[0]"));
}

TEST(OutcomeTest, TheStateCanBeLeftOut) {
  EXPECT_THAT(NamesOf(AsTree({ResultsOf(1)}, false), AsTree({ResultsOf(2)}, false)),
              ElementsAre("outputs[0]", "outputs[1]['logits']", "gradients.inputs[0]", "inputs[0]"));
}

TEST(OutcomeTest, SeveralCallsAreNumbered) {
  Results a;
  a.outputs = at::zeros({1});
  Results b;
  b.outputs = at::ones({1});
  EXPECT_THAT(NamesOf(AsTree({a, a}, true), AsTree({b, b}, true)),
              ElementsAre("calls[0].outputs", "calls[1].outputs"));
}

TEST(OutcomeTest, AFailureSaysWhenAndWhat) {
  EXPECT_EQ((RunFailure{Phase::kBackward, "sizes differ", 0}.ToString()), "backward: sizes differ");
  EXPECT_EQ((RunFailure{Phase::kForward, "sizes differ", 2}.ToString()), "calls[2], forward: sizes differ");
}

}  // namespace
}  // namespace culprit::check
