// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/random_numbers.h"

#include <gtest/gtest.h>

#include "tests/capture/captured.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

TEST(RandomNumbersTest, CaptureLeavesTheSameBehind) {
  const TemporaryFolder folder;
  Coverage coverage;
  const int programs = Volume(150, 5000);
  for (int seed = 0; seed < programs && !testing::Test::HasFailure(); ++seed) {
    const std::string text = MakeRandomNumbers(static_cast<uint64_t>(seed));
    SCOPED_TRACE(text);
    WriteWholeFile(folder / "program.py", text);
    const auto comparison = CompareCaptured(*ParseHazard(folder / "program.py", text), coverage);
    ASSERT_TRUE(comparison.ok()) << comparison.error().Render();
    EXPECT_EQ(comparison->differences, "");
  }
  EXPECT_GT(coverage.graphs, static_cast<size_t>(programs));
  EXPECT_GT(coverage.breaks["B01"], 0u);
}

}  // namespace
}  // namespace culprit::tests
