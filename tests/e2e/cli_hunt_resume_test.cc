// SPDX-License-Identifier: Apache-2.0
//
// Interrupted, killed, and taken up again.
#include <random>
#include <set>
#include <sstream>

#include "tests/e2e/cli_hunt.h"
#include "tests/e2e/run_and_signal.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

std::set<std::string> QuestionsIn(const std::string& trace, size_t& count) {
  std::set<std::string> hashes;
  std::istringstream lines(ReadWholeFile(trace));
  count = 0;
  for (std::string line; std::getline(lines, line);) {
    const json event = json::parse(line, nullptr, false);
    if (!event.is_object() || event.value("event", "") != "answer") continue;
    hashes.insert(event.at("hash"));
    ++count;
  }
  return hashes;
}

TEST_F(CliHunt, ASearchThatEndedAtItsLimitGoesOn) {
  const ProgramRun run = Hunt({"hunt", net_, "--fault", "exp&tanh:runtime-error", "--max-queries", "3"});
  EXPECT_THAT(run.out, HasSubstr("the search ended at the limit of questions"));
  EXPECT_THAT(run.out, HasSubstr("culprit minify --resume "));
  const ProgramRun resumed = Culprit({"minify", "--resume", latest(), "--json"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(JsonOf(resumed).at("after").at("operators"), 2);
}

TEST_F(CliHunt, ResumingDoesNotChangeTheQuestion) {
  const ProgramRun run = Culprit({"minify", "--resume", folder_.path(), "--fault", "sin:hang"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("--fault excludes --resume"));
}

TEST_F(CliHunt, AFolderThatIsNoRunCannotBeResumed) {
  const ProgramRun run = Culprit({"minify", "--resume", folder_.path()});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("is not the folder of a run"));
}

TEST_F(CliHunt, EitherAFileOrAFolderIsNamed) {
  EXPECT_THAT(Culprit({"minify"}).err, HasSubstr("neither a file nor the folder of a run is named"));
  EXPECT_THAT(Culprit({"minify", net_, "--resume", folder_.path()}).err,
              HasSubstr("a file is named and the folder of a run too"));
}

TEST_F(CliHunt, AnInterruptedHuntSaysWhereItsResultsAre) {
  // A compiler that takes a while, so that there is something to interrupt.
  const std::vector<std::string> hunt = {"hunt",           net_,        "--fault", "exp&tanh:hang", "--out",
                                         folder_ / "runs", "--timeout", "1"};
  const std::string log = folder_ / "log";
  EXPECT_EQ(RunAndSignal(hunt, SIGINT, UntilThereIs(repro()), {.log = log}), 130);
  EXPECT_TRUE(std::filesystem::exists(repro()));
  const std::string folder = (folder_ / "runs/") + std::filesystem::read_symlink(latest()).string();
  EXPECT_THAT(
      ReadWholeFile(log),
      testing::EndsWith("culprit: error: interrupted\n  note: the smallest repro so far: " + folder +
                        "/repro.py\n  help: to go on, run: culprit minify --resume " + folder + "\n"));
}

/// How many questions the run's plan takes without interruption. The plan has measured costs in it, which
/// differ from run to run, and so do the questions.
json QuestionsOfPlan(const std::string& run, const std::string& copy) {
  std::filesystem::copy(std::filesystem::canonical(run), copy, std::filesystem::copy_options::recursive);
  const std::string trace = ReadWholeFile(copy + "/trace.jsonl");
  WriteWholeFile(copy + "/trace.jsonl", trace.substr(0, trace.find('\n') + 1));
  return json::parse(Culprit({"minify", "--resume", copy, "--json"}).out).at("questions");
}

TEST_F(CliHunt, KilledAtAnyMomentAndResumedItEndsAlikeAndAsksNothingTwice) {
  const std::vector<std::string> fault = {"--fault", "exp&tanh:segfault", "--out"};
  Hunt({"hunt", net_, fault[0], fault[1]});
  const std::string expected = ReadWholeFile(repro());
  std::mt19937 random(5);
  const int times = Volume(3, 50);
  for (int i = 0; i < times; ++i) {
    const std::string runs = folder_ / ("killed" + std::to_string(i));
    const int64_t moment = 700 + random() % 1500;
    RunAndSignal({"hunt", net_, fault[0], fault[1], fault[2], runs}, SIGKILL, After(moment));
    if (!std::filesystem::exists(runs + "/latest/trace.jsonl")) continue;
    ASSERT_TRUE(std::filesystem::exists(runs + "/latest/repro.py"));
    const json questions = QuestionsOfPlan(runs + "/latest", folder_ / ("whole" + std::to_string(i)));
    size_t answers_before = 0;
    const std::set<std::string> before = QuestionsIn(runs + "/latest/trace.jsonl", answers_before);
    // Once more, in the middle of resuming.
    RunAndSignal({"minify", "--resume", runs + "/latest"}, SIGKILL, After(500 + random() % 700));
    const json resumed = JsonOf(Culprit({"minify", "--resume", runs + "/latest", "--json"}));
    EXPECT_EQ(ReadWholeFile(runs + "/latest/repro.py"), expected) << "killed after " << moment;
    EXPECT_EQ(resumed.at("questions"), questions);
    size_t answers = 0;
    EXPECT_EQ(QuestionsIn(runs + "/latest/trace.jsonl", answers).size(), answers);
    EXPECT_GE(answers, answers_before);
  }
}

}  // namespace
}  // namespace culprit::tests
