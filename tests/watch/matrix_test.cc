// SPDX-License-Identifier: Apache-2.0
//
// Every kind of failure, at every level and every point (matrix.h): the files that are left, the text of the
// exception, and the exit code. In full volume all cells, else some of each kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/volume.h"
#include "tests/watch/matrix.h"

namespace culprit::tests {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const Compiler kAotEager{"aot-eager"};

void ExpectCell(const Cell& cell, const Compiler& compiler) {
  SCOPED_TRACE(testing::Message() << cell << ", " << compiler.backend);
  ExpectOutcome(WatchedRun(WatchingOf(cell, compiler)), cell, compiler);
}

/// So many of each kind, drawn with a fixed seed.
std::vector<Cell> Sample(std::vector<Cell> cells, int of_each_kind) {
  std::ranges::shuffle(cells, std::mt19937(8));
  std::map<std::string_view, int> drawn;
  std::erase_if(cells, [&](const Cell& cell) { return ++drawn[cell.kind.fault] > of_each_kind; });
  return cells;
}

/// Some of each kind, or all of them.
std::vector<Cell> Cells(int of_each_kind) {
  return FullVolume() ? AllCells() : Sample(AllCells(), of_each_kind);
}

/// The lowest level at which there is a repro.
int LowestLevel(const FailureKind& kind) {
  if (kind.failure == Failure::kWrongNumbers) return 4;
  return kind.failure == Failure::kDies ? 3 : 2;
}

TEST(WatchMatrix, EachFailureLeavesWhatItsLevelPromises) {
  std::set<int> levels;
  std::set<std::string_view> points;
  for (const Cell& cell : Cells(2)) {
    ExpectCell(cell, kAotEager);
    levels.insert(cell.level);
    points.insert(cell.point);
  }
  EXPECT_EQ(levels.size(), std::size(kLevels));
  EXPECT_EQ(points.size(), std::size(kPoints));
}

TEST(WatchMatrix, EachFailureLeavesAReproAtTheLowestLevelThatHasOne) {
  for (const FailureKind& kind : kFailureKinds) {
    const Cell cell{kind, LowestLevel(kind), "auto"};
    if (!IsHidden(cell, kAotEager)) ExpectCell(cell, kAotEager);
  }
}

TEST(WatchMatrix, WhatShowsBelowAutogradIsToldThere) {
  for (const FailureKind& kind : kFailureKinds) {
    const bool is_example =
        kind.fault == "accuracy" || kind.fault == "nonstandard-throw" || kind.fault == "hang";
    const bool changes_structure = kind.fault == "shape" || kind.fault == "dtype";
    if ((FullVolume() && !changes_structure) || is_example)
      ExpectCell({kind, 4, "auto", Guilty::kBackward}, kAotEager);
  }
}

TEST(WatchMatrix, WhatDoesNotShowBelowAutogradIsToldAboveIt) {
  // The forward graph gives an output of another shape, with which autograd fails.
  Watching watching{.fault = "relu:shape", .level = 2, .point = "aot", .arguments = {"--train"}};
  const WatchedRun below(watching);
  EXPECT_EQ(below.program().exit_code, 1);
  EXPECT_TRUE(below.Left().empty());
  watching.point = "auto";
  const WatchedRun run(watching);
  EXPECT_EQ(run.program().exit_code, 1);
  EXPECT_THAT(run.program().err, StartsWith("exception c10::Error\ninvalid gradient at index 0"));
  const std::vector<LeftFolder> left = run.Left();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].graph, "net_0_captured");
  EXPECT_THAT(run.program().err, EndsWith("\n" + ReportLines("net_0_captured", left[0].repro())));
  const ProgramRun verified = Culprit({"verify", "--times", "1", left[0].repro()});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}

TEST(WatchMatrix, WrongGradientsOfACompilerThatTakesCapturedGraphsShowAtEveryPoint) {
  for (const std::string_view point : {"capture", "aot", "auto"})
    ExpectCell({KindCalled("gradient"), 4, point, Guilty::kForward}, {"torchscript", false});
}

TEST(WatchMatrix, AHangCanBeWaitedFor) {
  for (const FailureKind& kind : kFailureKinds) {
    if (kind.failure != Failure::kHangs) continue;
    ExpectCell({kind, 2, "aot", Guilty::kInference, "wait"}, kAotEager);
    if (!FullVolume()) break;
    ExpectCell({kind, 3, "capture", Guilty::kBackward, "wait"}, kAotEager);
  }
}

TEST(WatchMatrix, ItIsTheSameForOtherCompilers) {
  const Compiler compilers[] = {
      {"torchscript:graphs=aot"},
      {"torchscript", false},
      // It has no gradients.
      {CULPRIT_PLUGINS "/libpointwise.so", false, "pointwise", false},
  };
  std::vector<Cell> cells = AllCells();
  std::erase_if(cells, [](const Cell& cell) { return cell.level == 0 || cell.point == "none"; });
  for (const Compiler& compiler : compilers) {
    std::vector<Cell> possible = cells;
    std::erase_if(possible, [&](const Cell& cell) {
      // Only autograd makes graphs that have the operators of a backward pass.
      if (cell.guilty == Guilty::kBackward) return !compiler.is_below_autograd;
      return cell.guilty == Guilty::kForward && !compiler.trains;
    });
    for (const Cell& cell : Sample(possible, Volume(1, 8))) ExpectCell(cell, compiler);
  }
}

TEST(WatchMatrix, EveryReproFailsAgain) {
  std::vector<Cell> cells;
  for (const FailureKind& kind : kFailureKinds)
    for (const std::string_view point : {"aot", "capture"})
      for (const Guilty guilty : kGuilty) cells.push_back({kind, LowestLevel(kind), point, guilty});
  std::erase_if(cells, [](const Cell& cell) { return IsHidden(cell, kAotEager); });
  for (const Cell& cell : FullVolume() ? cells : Sample(cells, 1)) {
    SCOPED_TRACE(testing::Message() << cell);
    const WatchedRun run(WatchingOf(cell, kAotEager));
    const ProgramRun verified = Culprit({"verify", "--times", "1", run.Latest() + "/repro.py"});
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  }
}

TEST(WatchMatrix, WhatIsMinifiedIsTheGuiltyOperator) {
  for (const std::string fault : {"accuracy", "segfault"}) {
    SCOPED_TRACE(fault);
    const WatchedRun run({.fault = "relu:" + fault, .level = fault == "accuracy" ? 4 : 3});
    const std::string out = run.folder() / "minified";
    const ProgramRun minified = Culprit({"minify", run.Latest() + "/repro.py", "--out", out});
    ASSERT_EQ(minified.exit_code, 0) << minified.out << minified.err;
    EXPECT_THAT(ReadWholeFile(out + "/latest/repro.py"),
                AllOf(HasSubstr("aten.relu"), Not(HasSubstr("aten.mm")), Not(HasSubstr("aten.sin")),
                      Not(HasSubstr("aten.cos"))));
  }
}

}  // namespace
}  // namespace culprit::tests
