// SPDX-License-Identifier: Apache-2.0
//
// The programs that try capture, hazards and random ones, with graphs that are split into forward and
// backward.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <set>

#include "tests/autograd/backends.h"
#include "tests/capture/captured.h"
#include "tests/capture/random_program.h"
#include "tests/lib/fixtures.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

/// Of one backend.
struct Met {
  size_t calls = 0;
  Coverage coverage;

  void Compare(const Hazard& program, const std::string& backend) {
    const auto comparison = CompareCaptured(program, coverage, backend);
    ASSERT_TRUE(comparison.ok()) << comparison.error().Render();
    EXPECT_EQ(comparison->differences, "");
    calls += comparison->expected.size();
  }

  void Judge(const std::string& backend) const {
    std::cout << fmt::format("{}: {} calls, something forgiven in {}; {} graphs, {} of them not split\n",
                             backend, calls, coverage.forgiven, coverage.graphs, coverage.unsplit);
    EXPECT_LT(coverage.forgiven * 10, calls);
    EXPECT_LT(coverage.unsplit * 5, coverage.graphs);
  }
};

TEST(CaptureProgramsTest, HazardsLeaveTheSameBehindWhenGraphsAreSplit) {
  for (const char* backend : kExactBackends) {
    Met met;
    for (const std::string& path : FixturesIn("hazards")) {
      SCOPED_TRACE(fmt::format("{} with {}", path, backend));
      met.Compare(*ParseHazard(path, ReadFixture(path)), backend);
    }
    met.Judge(backend);
  }
}

TEST(CaptureProgramsTest, RandomProgramsLeaveTheSameBehindWhenGraphsAreSplit) {
  // An operator fails, on its numbers, whose result nobody uses: a split graph does not have it.
  const std::set<int> left_out = {447, 1059, 1369, 1689};
  const TemporaryFolder folder;
  const std::string path = folder / "program.py";
  Met met;
  for (int seed = 0; seed < Volume(60, 2000) && !testing::Test::HasFatalFailure(); ++seed) {
    if (left_out.contains(seed)) continue;
    const std::string text = MakeRandomProgram(seed);
    SCOPED_TRACE(text);
    WriteWholeFile(path, text);
    met.Compare(*ParseHazard(path, text), "aot-eager");
  }
  met.Judge("aot-eager");
}

}  // namespace
}  // namespace culprit::tests
