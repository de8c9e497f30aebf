// SPDX-License-Identifier: Apache-2.0
#include "tests/watch/matrix.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>

namespace culprit::tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr int kKilled = 137;
constexpr int kTimedOut = 124;

bool IsWatched(const Cell& cell) {
  return cell.level > 0 && cell.point != "none";
}

bool IsAtCapture(const Cell& cell) {
  return cell.point == "capture" || cell.point == "dynamo";
}

bool ChangesStructure(const Cell& cell) {
  return cell.kind.fault == "shape" || cell.kind.fault == "dtype";
}

std::string GraphOf(const Cell& cell, const Compiler& compiler) {
  if (IsAtCapture(cell) || !compiler.is_below_autograd) return "net_0_captured";
  switch (cell.guilty) {
    case Guilty::kInference:
      return "net_0_inference";
    case Guilty::kForward:
      return "net_0_forward";
    case Guilty::kBackward:
      return "net_0_backward";
  }
}

/// As of a program that is not watched.
Expected WithoutWatcher(const Cell& cell) {
  switch (cell.kind.failure) {
    case Failure::kCannotCompile:
      return {.exit_code = 1, .exception = "exception culprit::BackendCompilerFailed"};
    case Failure::kThrows:
      return {.exit_code = 1, .exception = "exception std::runtime_error"};
    case Failure::kThrowsAnInteger:
      return {.exit_code = 1, .exception = "exception of no kind"};
    case Failure::kWrongNumbers:
      return {.exit_code = 0};
    case Failure::kDies:
      return {.exit_code = cell.kind.exit_code};
    case Failure::kHangs:
      return {.exit_code = kKilled};
  }
}

/// What an exception says, without the lines in front of it that say what it is.
std::string TextOf(std::string printed) {
  for (const std::string_view line : {"exception ", "signature "}) {
    if (printed.starts_with(line)) printed.erase(0, printed.find('\n') + 1);
  }
  return printed;
}

/// What the same program says when nobody watches, of the graph that is reported.
std::string TextWithoutWatcher(Cell cell, const Compiler& compiler, const std::string& graph) {
  static auto& known = *new std::map<std::string, std::string>;
  cell.level = 0;
  std::string& text =
      known[fmt::format("{} {} {}", cell.kind.fault, static_cast<int>(cell.guilty), compiler.backend)];
  if (text.empty()) text = TextOf(WatchedRun(WatchingOf(cell, compiler)).program().err);
  return std::regex_replace(text, std::regex("net_0_[a-z]+"), graph) + (text.ends_with('\n') ? "" : "\n");
}

/// Folders without what has failed are those of graphs that were called before the process died.
std::vector<LeftFolder> OfGraph(std::vector<LeftFolder> folders, const std::string& graph) {
  std::erase_if(folders, [&](const LeftFolder& folder) { return folder.graph != graph; });
  return folders;
}

void ExpectReported(const WatchedRun& run, const LeftFolder& folder, const Cell& cell,
                    const Compiler& compiler, const Expected& expected) {
  const bool hangs = cell.kind.failure == Failure::kHangs;
  EXPECT_EQ(folder.files,
            hangs ? std::set<std::string>({"repro.py", "stacks.txt"}) : std::set<std::string>({"repro.py"}));
  EXPECT_EQ(run.Latest(), folder.path);
  const std::string repro = ReadWholeFile(folder.repro());
  EXPECT_THAT(repro, HasSubstr("graph_name = '" + expected.graph + "'"));
  EXPECT_EQ(repro.find("\"expected\"") != std::string::npos, expected.has_failure) << repro.substr(0, 1500);
  const std::string lines = ReportLines(expected.graph, folder.repro());
  // An integer has no text, and neither has somebody who waits: they are warned.
  const bool is_integer = cell.kind.failure == Failure::kThrowsAnInteger;
  if (!hangs && !is_integer) EXPECT_THAT(run.program().err, EndsWith("\n" + lines));
  // What is thrown is what would be thrown without a watcher, and the lines.
  if (cell.kind.failure == Failure::kThrows || cell.kind.failure == Failure::kCannotCompile)
    EXPECT_EQ(TextOf(run.program().err), TextWithoutWatcher(cell, compiler, expected.graph) + lines);
  EXPECT_THAT(run.program().err, HasSubstr(lines));
  if (hangs) EXPECT_THAT(ReadWholeFile(folder.path + "/stacks.txt"), HasSubstr("SleepForever"));
}

void ExpectRecorded(const LeftFolder& folder, const Expected& expected) {
  EXPECT_TRUE(folder.files.contains("in_progress/N.py")) << testing::PrintToString(folder.files);
  EXPECT_TRUE(folder.files.contains("calls/1.py"));
  const std::string repro = ReadWholeFile(folder.repro());
  EXPECT_THAT(repro, HasSubstr("graph_name = '" + expected.graph + "'"));
  // Nobody has seen it.
  EXPECT_THAT(repro, Not(HasSubstr("\"expected\"")));
}

}  // namespace

const FailureKind& KindCalled(std::string_view fault) {
  return *std::ranges::find(kFailureKinds, fault, &FailureKind::fault);
}

bool IsHidden(const Cell& cell, const Compiler& compiler) {
  // What a backward graph writes into is nothing that the captured graph knows.
  if (cell.kind.fault == "writes-input") return IsAtCapture(cell) && cell.guilty == Guilty::kBackward;
  // Autograd gives a gradient the dtype of what it belongs to, before anybody above it sees it.
  if (cell.kind.fault == "dtype") return IsAtCapture(cell) && cell.guilty == Guilty::kBackward;
  // Graphs that autograd has made have no gradients, and neither has a program that only infers.
  if (cell.kind.fault == "gradient") return compiler.is_below_autograd || cell.guilty == Guilty::kInference;
  return false;
}

Expected ExpectedOf(const Cell& cell, const Compiler& compiler) {
  Expected expected = WithoutWatcher(cell);
  if (!IsWatched(cell) || IsHidden(cell, compiler)) return expected;
  const std::string graph = GraphOf(cell, compiler);
  const bool reports =
      cell.kind.failure == Failure::kWrongNumbers ? cell.level == 4 : cell.kind.failure != Failure::kDies;
  const bool never_returns = cell.kind.failure == Failure::kDies || cell.kind.failure == Failure::kHangs;
  expected.is_reported = reports;
  expected.has_failure = reports && cell.level >= 2;
  expected.is_recorded = never_returns && cell.level == 3;
  expected.is_recorded_above = expected.is_recorded && cell.point == "auto" && compiler.is_below_autograd;
  if (expected.is_reported || expected.is_recorded) expected.graph = graph;
  if (cell.kind.failure == Failure::kWrongNumbers && reports)
    expected = {1, "exception culprit::AccuracyError", graph, true, true, false};
  if (cell.kind.failure == Failure::kHangs && cell.on_timeout == "end") expected.exit_code = kTimedOut;
  return expected;
}

Watching WatchingOf(const Cell& cell, const Compiler& compiler) {
  const std::string_view guilty_operator = cell.guilty == Guilty::kBackward ? "threshold_backward" : "relu";
  Watching watching{.fault = fmt::format("{}:{}", guilty_operator, cell.kind.fault),
                    .level = cell.level,
                    .point = std::string(cell.point),
                    .backend = compiler.backend,
                    .arguments = {"--net", compiler.net}};
  if (cell.guilty != Guilty::kInference) watching.arguments.emplace_back("--train");
  if (cell.kind.failure == Failure::kHangs) {
    watching.settings = {{"CULPRIT_CALL_TIMEOUT", "1"}, {"CULPRIT_ON_TIMEOUT", std::string(cell.on_timeout)}};
    // Whoever is not looked after is waited for in vain, and whoever waits has to have written its repro.
    if (!IsWatched(cell)) watching.seconds = 2;
    if (IsWatched(cell) && cell.on_timeout == "wait") watching.seconds = 8;
  }
  return watching;
}

void ExpectOutcome(const WatchedRun& run, const Cell& cell, const Compiler& compiler) {
  const Expected expected = ExpectedOf(cell, compiler);
  const ProgramRun& program = run.program();
  EXPECT_EQ(program.exit_code, expected.exit_code) << program.out << program.err;
  if (expected.exit_code == 0)
    EXPECT_THAT(program.out, testing::MatchesRegex("call 1: .*\ncall 2: .*\nfailures 0, .*\n"));
  else
    EXPECT_EQ(program.out, "");
  if (!expected.exception.empty())
    EXPECT_THAT("\n" + program.err, HasSubstr("\n" + expected.exception + "\n"));
  if (!expected.is_reported) EXPECT_THAT(program.err, Not(HasSubstr("culprit: ")));

  const std::vector<LeftFolder> left = run.Left();
  const std::vector<LeftFolder> guilty = OfGraph(left, expected.graph);
  ASSERT_EQ(guilty.size(), size_t{expected.is_recorded} + size_t{expected.is_reported});
  if (expected.is_recorded) ExpectRecorded(guilty.front(), expected);
  if (expected.is_reported) ExpectReported(run, guilty.back(), cell, compiler, expected);
  // A forward graph that has come back stands beside the backward graph that has not.
  const bool has_forward = expected.is_recorded && expected.graph == "net_0_backward";
  EXPECT_EQ(left.size(), guilty.size() + size_t{has_forward} + size_t{expected.is_recorded_above});
  if (expected.is_recorded_above) {
    const std::vector<LeftFolder> above = OfGraph(left, "net_0_captured");
    ASSERT_EQ(above.size(), 1U);
    EXPECT_TRUE(above[0].files.contains("in_progress/N.py")) << testing::PrintToString(above[0].files);
  }
}

std::vector<Cell> AllCells() {
  std::vector<Cell> cells;
  for (const FailureKind& kind : kFailureKinds)
    for (const int level : kLevels)
      for (const std::string_view point : kPoints)
        for (const Guilty guilty : kGuilty) cells.push_back({kind, level, point, guilty});
  std::erase_if(cells,
                [](const Cell& cell) { return ChangesStructure(cell) && cell.guilty != Guilty::kInference; });
  return cells;
}

std::ostream& operator<<(std::ostream& out, const Cell& cell) {
  constexpr std::string_view kGraphs[] = {"inference", "forward", "backward"};
  return out << cell.kind.fault << " in the " << kGraphs[static_cast<size_t>(cell.guilty)] << " graph, level "
             << cell.level << ", after " << cell.point << ", on timeout " << cell.on_timeout;
}

}  // namespace culprit::tests
