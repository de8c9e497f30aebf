// SPDX-License-Identifier: Apache-2.0
//
// What a graph for all sizes computes is what the program computes, also for sizes that are far from those
// which it was made from, and beyond what the program decides by them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/volume.h"
#include "tests/sizes/random_size_program.h"

namespace culprit::tests {
namespace {

struct Way {
  const char* backend;
  bool with_gradients;
};

class SizeProgramsTest : public testing::TestWithParam<Way> {};

SizedRun ExpectSame(const SizedProgram& program, const Way& way) {
  const SizedRun run = RunSizedProgram(program, way.backend, way.with_gradients);
  EXPECT_THAT(run.differences, testing::IsEmpty()) << program.source << testing::PrintToString(run.log);
  return run;
}

void ExpectSameInAll(const char* file, const Way& way) {
  const std::vector<SizedProgram> programs = ReadSizedPrograms(file);
  ASSERT_THAT(programs, testing::SizeIs(testing::Gt(4)));
  for (const SizedProgram& program : programs) ExpectSame(program, way);
}

TEST_P(SizeProgramsTest, SizesBeyondALimit) {
  ExpectSameInAll("tests/fixtures/sizes/limits.txt", GetParam());
}

TEST_P(SizeProgramsTest, SizesThatDecide) {
  ExpectSameInAll("tests/fixtures/sizes/ways.txt", GetParam());
}

TEST_P(SizeProgramsTest, SizesThatOperatorsMake) {
  ExpectSameInAll("tests/fixtures/sizes/operators.txt", GetParam());
}

TEST_P(SizeProgramsTest, RandomArithmetic) {
  const int programs = Volume(40, 300);
  for (int seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE(seed);
    const SizedRun run = ExpectSame(RandomSizeProgram(static_cast<uint32_t>(seed)), GetParam());
    // One for the first sizes, and one for each way and each guess that was wrong.
    EXPECT_LE(run.graphs, 4) << testing::PrintToString(run.log);
    EXPECT_EQ(run.as_written, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, SizeProgramsTest,
                         testing::Values(Way{"eager", false}, Way{"aot-eager", true},
                                         Way{"torchscript", false}),
                         [](const auto& each) {
                           std::string name = each.param.backend;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace culprit::tests
