// SPDX-License-Identifier: Apache-2.0
//
// Random programs with gradients: those about gradients, and those about control flow and containers with
// leaves for arguments. Each goes backward in a way of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <iterator>

#include "tests/autograd/backends.h"
#include "tests/autograd/training_program.h"
#include "tests/capture/captured.h"
#include "tests/capture/random_program.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

struct Met {
  size_t calls = 0;
  size_t forward_errors = 0;
  size_t backward_errors = 0;
  size_t gradients = 0;

  void Count(const Observation& call) {
    ++calls;
    for (const Fact& fact : call.facts) {
      forward_errors += fact.first == "exception";
      backward_errors += fact.first == "backward";
      gradients += fact.first.starts_with("gradient of") && fact.second != "none";
    }
  }
};

class RandomTrainingTest : public testing::Test {
 protected:
  void Compare(uint64_t seed, const std::string& text, const char* backend, Met& met) {
    const std::string path = folder_ / "program.py";
    SCOPED_TRACE(fmt::format("{}\nwith {}", text, backend));
    WriteWholeFile(path, text);
    base::Result<Hazard> program = ParseHazard(path, text);
    ASSERT_TRUE(program.ok()) << program.error().Render();
    program->variants = {{Backward::kTangents, InputForm::kAsWritten},
                         {kAllBackward[seed % std::size(kAllBackward)],
                          kAllInputForms[seed / std::size(kAllBackward) % std::size(kAllInputForms)]}};
    Coverage coverage;
    const auto comparison = CompareCaptured(*program, coverage, backend);
    ASSERT_TRUE(comparison.ok()) << comparison.error().Render();
    EXPECT_EQ(comparison->differences, "");
    for (const Observation& call : comparison->expected) met.Count(call);
  }

  TemporaryFolder folder_;
};

TEST_F(RandomTrainingTest, LeavesTheSameBehind) {
  for (const char* backend : kExactBackends) {
    Met met;
    for (int seed = 0; seed < Volume(100, 700) && !HasFatalFailure(); ++seed)
      Compare(seed, MakeTrainingProgram(seed), backend, met);
    std::cout << fmt::format("{}: {} calls, {} errors, {} errors of backward, {} gradients\n", backend,
                             met.calls, met.forward_errors, met.backward_errors, met.gradients);
    EXPECT_LT(met.forward_errors * 3, met.calls) << "too many calls end early";
    EXPECT_LT(met.backward_errors * 2, met.calls);
    EXPECT_GT(met.gradients, met.calls / 2);
  }
}

TEST_F(RandomTrainingTest, LeavesTheSameBehindWithControlFlowAndContainers) {
  for (const char* backend : kExactBackends) {
    Met met;
    for (int seed = 0; seed < Volume(40, 300) && !HasFatalFailure(); ++seed)
      Compare(seed, MakeRandomProgram(seed, {.gradients = true}), backend, met);
    EXPECT_GT(met.gradients, met.calls / 2);
  }
}

}  // namespace
}  // namespace culprit::tests
