// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/minify_repro.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "minify/strategies/table.h"
#include "repro/read_repro.h"
#include "tests/lib/fake_checks.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::hunt {
namespace {

using testing::Contains;
using testing::HasSubstr;

const backend::FailureSignature kFailure = {.message = "no tanh"};
const backend::FailureSignature kOtherFailure = {.message = "no exp"};

/// A compiler that cannot do tanh behind exp; alone with exp it fails in another way.
minify::Reply Answer(const minify::Program& program) {
  const std::vector<std::string> names = tests::OperatorsOf(program);
  const bool has_exp = std::ranges::count(names, "exp") > 0;
  if (has_exp && std::ranges::count(names, "tanh") > 0) return {{minify::Answer::kSameFailure, kFailure}};
  if (has_exp) return {{minify::Answer::kOtherFailure, kOtherFailure, "another message"}};
  return {{minify::Answer::kPasses}};
}

using VerifyFunction = std::function<Verification(const std::string& path)>;

class FakeOracle : public Oracle {
 public:
  FakeOracle(tests::FakeCheck& check, VerifyFunction verify) : check_(&check), verify_(std::move(verify)) {}

  base::Status Begin(const repro::Header&, bool) override { return base::Done{}; }
  base::Result<check::Character> Characterize(const repro::Repro&, bool, const OnQuery&) override {
    return check::Character{};
  }
  void Expect(const check::Expectation&, const repro::RunFolder&) override {}
  minify::FailureCheck& check() override { return *check_; }
  std::optional<base::Diagnostic> broken() const override { return std::nullopt; }
  base::Result<Verification> Verify(const std::string& path) override { return verify_(path); }
  check::AskOnce ask() override { return nullptr; }
  ShownRun Show(const std::string&) override { return {}; }
  std::optional<backend::PlainProgram> InPlainCalls(const std::string&) override { return std::nullopt; }

 private:
  tests::FakeCheck* check_;
  VerifyFunction verify_;
};

class MinifyReproTest : public testing::Test {
 protected:
  base::Result<Report> Minify(const MinifyRepro& job, tests::FakeCheck& check) {
    FakeOracle oracle(check, verify_);
    Listener listener;
    return hunt::Minify(job, oracle, listener);
  }

  static minify::Program Original() { return tests::Chain(40, {{7, "exp"}, {30, "tanh"}}); }

  MinifyRepro Job(const std::string& runs) {
    const minify::Program original = Original();
    MinifyRepro job{.repro = {original.graph, original.inputs, {}},
                    .folder = *repro::RunFolder::Create(runs, "net")};
    job.plan.expected.signature = kFailure;
    job.plan.first = Answer(original);
    for (const minify::StrategyEntry& entry : minify::strategies::AllStrategies())
      job.plan.strategies.emplace_back(entry.name);
    job.plan.sources = {{"tanh", "net.py:31"}};
    return job;
  }

  static std::vector<std::string> OperatorsIn(const std::string& path) {
    const auto read = repro::OpenRepro(path, tests::ReadWholeFile(path));
    return tests::OperatorsOf({read->script.graph, {}});
  }

  tests::TemporaryFolder folder_;
  /// Of the oracle.
  VerifyFunction verify_ = [](const std::string&) { return Verification{1, 1}; };
};

TEST_F(MinifyReproTest, TheRunFolderHasEverything) {
  const MinifyRepro job = Job(folder_.path());
  tests::FakeCheck check(Answer);
  const auto report = Minify(job, check);
  EXPECT_EQ(tests::NamesIn(job.folder.path()),
            (std::set<std::string>{"checkpoints", "finds", "original.py", "repro.py", "store", "summary.md",
                                   "trace.jsonl"}));
  EXPECT_EQ(OperatorsIn(job.folder.repro()), (std::vector<std::string>{"exp", "tanh"}));
  EXPECT_EQ(OperatorsIn(job.folder.original()).size(), 40);
  EXPECT_EQ(report->before.operators, 40);
  EXPECT_EQ(report->after.operators, 2);
  ASSERT_EQ(report->guilty.size(), 2);
  EXPECT_EQ(report->guilty[1].source, "net.py:31");
  EXPECT_EQ(report->questions, check.questions());
}

TEST_F(MinifyReproTest, OtherFailuresAreKeptOnceAndSmall) {
  const MinifyRepro job = Job(folder_.path());
  tests::FakeCheck check(Answer);
  const auto report = Minify(job, check);
  ASSERT_EQ(report->finds.size(), 1);
  EXPECT_THAT(report->finds[0].signature, HasSubstr("no exp"));
  EXPECT_THAT(OperatorsIn(job.folder.path() + "/" + report->finds[0].file), Contains("exp"));
}

TEST_F(MinifyReproTest, InterruptedAfterEveryQuestionItEndsAlikeAndAsksNothingTwice) {
  const MinifyRepro undisturbed = Job(folder_.path());
  tests::FakeCheck check(Answer);
  const auto whole = Minify(undisturbed, check);
  MinifyRepro job = Job(folder_ / "interrupted");
  tests::FakeCheck interrupted(Answer);
  job.max_questions = 1;
  auto report = Minify(job, interrupted);
  size_t times = 1;
  for (; report->ended == minify::Ended::kQuestions; ++times) {
    EXPECT_TRUE(
        Answer({repro::OpenRepro("", tests::ReadWholeFile(job.folder.repro()))->script.graph, {}}).fails());
    job.resumed = *OpenTrace(job.folder.trace());
    report = Minify(job, interrupted);
  }
  EXPECT_GT(times, 10);
  EXPECT_EQ(interrupted.asked_twice(), 0);
  EXPECT_EQ(interrupted.questions(), check.questions());
  EXPECT_EQ(report->program_text, whole->program_text);
  EXPECT_EQ(report->questions, whole->questions);
  EXPECT_GT(report->seconds, job.resumed->seconds);
  EXPECT_EQ(tests::NamesIn(job.folder.path() + "/checkpoints"),
            tests::NamesIn(undisturbed.folder.path() + "/checkpoints"));
}

TEST_F(MinifyReproTest, WhatDoesNotFailAgainIsTakenBack) {
  MinifyRepro job = Job(folder_.path());
  verify_ = [](const std::string& path) {
    return Verification{1, OperatorsIn(path).size() > 2 ? 1 : 0, "passes"};
  };
  tests::FakeCheck check(Answer);
  const auto report = Minify(job, check);
  EXPECT_TRUE(report->verification.holds());
  EXPECT_GT(report->taken_back, 0);
  EXPECT_GT(OperatorsIn(job.folder.repro()).size(), 2);
  EXPECT_EQ(report->after.operators, OperatorsIn(job.folder.repro()).size());
  EXPECT_THAT(tests::ReadWholeFile(job.folder.summary()), HasSubstr("did not fail again in a fresh process"));
}

TEST_F(MinifyReproTest, WhatWasTakenBackIsTriedAgainWhenTheRunIsTakenUp) {
  MinifyRepro job = Job(folder_.path());
  verify_ = [](const std::string& path) { return Verification{1, OperatorsIn(path).size() > 2 ? 1 : 0}; };
  tests::FakeCheck check(Answer);
  Minify(job, check).value();
  job.resumed = *OpenTrace(job.folder.trace());
  verify_ = [](const std::string&) { return Verification{1, 1}; };
  const auto report = Minify(job, check);
  EXPECT_EQ(report->after.operators, 2);
  EXPECT_EQ(OperatorsIn(job.folder.repro()).size(), 2);
  EXPECT_EQ(check.asked_twice(), 0);
}

TEST_F(MinifyReproTest, WhenNobodyCanBeAskedTheSearchEndsAndTheQuestionStaysOpen) {
  MinifyRepro job = Job(folder_.path());
  size_t questions = 0;
  tests::FakeCheck check([&](const minify::Program& program) {
    return ++questions == 4 ? minify::Reply{.is_answer = false} : Answer(program);
  });
  EXPECT_EQ(Minify(job, check)->ended, minify::Ended::kStopped);
  EXPECT_EQ(OpenTrace(job.folder.trace())->answers.size(), 3);
}

TEST_F(MinifyReproTest, TwoRunsDoNotWriteIntoOneFolder) {
  const MinifyRepro job = Job(folder_.path());
  const auto writer = TraceWriter::Create(job.folder.trace(), job.plan);
  EXPECT_FALSE(TraceWriter::Append(job.folder.trace(), 0).ok());
}

TEST_F(MinifyReproTest, WhatNeverFailsAgainIsSaidToBeUnverified) {
  MinifyRepro job = Job(folder_.path());
  verify_ = [](const std::string&) { return Verification{1, 0, "passes"}; };
  tests::FakeCheck check(Answer);
  const auto report = Minify(job, check);
  EXPECT_FALSE(report->verification.holds());
  EXPECT_EQ(OperatorsIn(job.folder.repro()).size(), 40);
  EXPECT_THAT(tests::ReadWholeFile(job.folder.summary()), HasSubstr("NOT verified"));
}

// In a process whose files cannot grow, which writers see as a full disk.
TEST_F(MinifyReproTest, AFullDiskEndsTheSearchAtOnceAndLeavesTheSmallestReproSoFar) {
  const std::string runs = folder_.path();
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    MinifyRepro job = Job(runs);
    size_t questions = 0;
    tests::FakeCheck check([&](const minify::Program& program) {
      const rlimit limit{1000, 1000};
      if (++questions == 5) setrlimit(RLIMIT_FSIZE, &limit);
      return Answer(program);
    });
    const auto report = Minify(job, check);
    const bool is_about_the_disk = !report.ok() && report.error().cause == base::Cause::kEnvironment &&
                                   report.error().message == "cannot be written: File too large";
    _exit(is_about_the_disk ? static_cast<int>(questions) : 100);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 5) << "questions";
  const std::string repro = folder_ / "latest/repro.py";
  const std::vector<std::string> left = OperatorsIn(repro);
  EXPECT_LT(left.size(), 40);
  EXPECT_THAT(left, Contains("tanh"));
}

TEST_F(MinifyReproTest, AnUnknownStrategyIsAnErrorThatNamesTheNearest) {
  const auto strategies = StrategiesNamed({"dorp"});
  ASSERT_FALSE(strategies.ok());
  EXPECT_THAT(strategies.error().Render(), HasSubstr("there is no strategy 'dorp', did you mean 'drop'?"));
}

}  // namespace
}  // namespace culprit::hunt
