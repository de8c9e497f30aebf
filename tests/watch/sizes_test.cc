// SPDX-License-Identifier: Apache-2.0
//
// A program whose sizes differ from call to call, watched: nothing is reported of a compiler that is right,
// and what is reported of one that is not can be had again from its file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/culprit_program.h"
#include "tests/watch/watched_run.h"

namespace culprit::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kBackends[] = {"eager", "aot-eager", "torchscript", "torchscript:stage=ofi"};

std::vector<std::string> Arguments(bool trains) {
  std::vector<std::string> arguments = {"--net", "sized", "--grow", "--calls", "6", "--counters"};
  if (trains) arguments.emplace_back("--train");
  return arguments;
}

/// A fault in a graph that was captured for all sizes: the first call has a graph of its own.
void ExpectReproOfLaterCall(const Watching& watching, const std::string& symbols) {
  SCOPED_TRACE(watching.backend + " after " + watching.point);
  const WatchedRun run(watching);
  EXPECT_EQ(run.program().exit_code, 1) << run.program().out;
  EXPECT_THAT(run.program().err, HasSubstr("AccuracyError"));
  EXPECT_THAT(run.Repro(), AllOf(HasSubstr(symbols), HasSubstr("torch.ops.aten.sym_size.int(")));
  EXPECT_EQ(Culprit({"verify", run.Latest() + "/repro.py"}).exit_code, 0);
}

TEST(WatchedSizesTest, ARightCompilerIsNotReported) {
  for (const char* backend : kBackends) {
    for (const bool trains : {false, true}) {
      const WatchedRun right(
          {.level = 0, .point = "none", .backend = "eager", .arguments = Arguments(trains)});
      const std::string numbers = right.program().out.substr(0, right.program().out.find("failures"));
      for (const char* point : {"capture", "aot"}) {
        SCOPED_TRACE(testing::Message() << backend << " after " << point << (trains ? ", training" : ""));
        const WatchedRun run({.point = point, .backend = backend, .arguments = Arguments(trains)});
        EXPECT_EQ(run.program().exit_code, 0) << run.program().err;
        EXPECT_THAT(run.program().out, testing::StartsWith(numbers + "failures 0, "));
        EXPECT_THAT(run.program().out, HasSubstr("\ngraphs 2, recaptures 1, as written 0\n"));
        EXPECT_TRUE(run.Left().empty());
      }
    }
  }
}

TEST(WatchedSizesTest, AFaultAmongManySizesLeavesAReproThatFailsAgain) {
  for (const char* backend : kBackends) {
    // 4 rows are right, more are not.
    ExpectReproOfLaterCall(
        {.fault = "relu:above:18", .point = "capture", .backend = backend, .arguments = Arguments(false)},
        "placeholder_symbols = {'x': ['s0', None]}");
  }
}

TEST(WatchedSizesTest, AReproOfManySizesCanBeMinified) {
  const WatchedRun run(
      {.fault = "relu:above:18", .point = "capture", .backend = "eager", .arguments = Arguments(false)});
  const ProgramRun minified = Culprit({"minify", run.Latest() + "/repro.py", "--json"});
  EXPECT_EQ(minified.exit_code, 0) << minified.err;
  EXPECT_THAT(minified.out, HasSubstr("aten::relu"));
}

}  // namespace
}  // namespace culprit::tests
