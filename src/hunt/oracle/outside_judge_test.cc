// SPDX-License-Identifier: Apache-2.0
#include "hunt/oracle/outside_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/lib/fake_checks.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::hunt {
namespace {

using minify::Answer;
using namespace std::chrono_literals;
using testing::HasSubstr;

class OutsideJudgeTest : public testing::Test {
 protected:
  /// A shell script, "$1" in which is the candidate.
  std::unique_ptr<OutsideJudge> Judge(const std::string& script, std::chrono::nanoseconds timeout = 60s) {
    tests::WriteWholeFile(path_, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(path_, std::filesystem::perms::all);
    auto judge = OutsideJudge::Find(path_, timeout, {}, [this] { return stopped_.load(); });
    EXPECT_TRUE(judge.ok()) << judge.error().message;
    (*judge)->PutCandidatesIn(run_.path());
    return *std::move(judge);
  }
  minify::Reply Ask(const std::string& script) { return Judge(script)->Ask(tests::Chain(2)); }

  tests::TemporaryFolder folder_;
  tests::TemporaryFolder run_;
  std::string path_ = folder_ / "judge";
  std::atomic<bool> stopped_ = false;
};

TEST_F(OutsideJudgeTest, ExitCode0SaysThatItFailsAndAnyOtherThatItPasses) {
  const minify::Reply fails = Ask("exit 0");
  EXPECT_EQ(fails.verdict.answer, Answer::kSameFailure);
  EXPECT_EQ(fails.verdict.signature->message, "judge says that it fails");
  for (const char* script : {"exit 1", "exit 125", "exit 255", "kill -SEGV $$"}) {
    const minify::Reply passes = Ask(script);
    EXPECT_EQ(passes.verdict.answer, Answer::kPasses) << script;
    EXPECT_TRUE(passes.is_answer) << script;
  }
}

TEST_F(OutsideJudgeTest, TheCandidateIsAFileThatIsGoneAfterwards) {
  const std::string seen = folder_ / "seen";
  ASSERT_TRUE(Ask("grep -c aten.sin \"$1\" > " + seen + "; echo \"$1\" >> " + seen).fails());
  EXPECT_THAT(tests::ReadWholeFile(seen), testing::StartsWith("2\n" + run_.path() + "/"));
  EXPECT_TRUE(std::filesystem::is_empty(run_.path()));
}

TEST_F(OutsideJudgeTest, AJudgeThatTakesTooLongIsEndedWithAllThatItStarted) {
  const std::string late = folder_ / "late";
  const auto judge = Judge("(sleep 1; touch " + late + ") & sleep 600", 100ms);
  const minify::Reply reply = judge->Ask(tests::Chain(1));
  EXPECT_EQ(reply.verdict.answer, Answer::kPasses);
  EXPECT_EQ(reply.verdict.reason, "the judge took too long and was ended");
  EXPECT_FALSE(judge->broken());
  std::this_thread::sleep_for(1200ms);
  EXPECT_FALSE(std::filesystem::exists(late));
}

TEST_F(OutsideJudgeTest, WhatCouldNotBeStartedIsNoAnswer) {
  const auto not_found = Judge("no_such_program_at_all \"$1\"");
  EXPECT_FALSE(not_found->Ask(tests::Chain(1)).is_answer);
  ASSERT_TRUE(not_found->broken());
  EXPECT_EQ(not_found->broken()->place.file, path_);
  EXPECT_THAT(not_found->broken()->message,
              HasSubstr("exited with 127, which says that a program was not found"));
  const auto not_executable = Judge("/dev/null \"$1\"");
  EXPECT_FALSE(not_executable->Ask(tests::Chain(1)).is_answer);
  EXPECT_THAT(not_executable->broken()->message, HasSubstr("exited with 126"));
}

TEST_F(OutsideJudgeTest, AnInterpreterThatDoesNotExistIsNoAnswer) {
  const auto judge = Judge("exit 0");
  tests::WriteWholeFile(path_, "#!/no/such/interpreter\n");
  std::filesystem::permissions(path_, std::filesystem::perms::all);
  EXPECT_FALSE(judge->Ask(tests::Chain(1)).is_answer);
  EXPECT_TRUE(judge->broken());
}

TEST_F(OutsideJudgeTest, ACandidateThatCannotBeWrittenIsNoAnswer) {
  const auto judge = Judge("exit 0");
  judge->PutCandidatesIn(folder_ / "no/such/folder");
  EXPECT_FALSE(judge->Ask(tests::Chain(1)).is_answer);
  ASSERT_TRUE(judge->broken());
  EXPECT_THAT(judge->broken()->message, HasSubstr("cannot be made: No such file or directory"));
}

TEST_F(OutsideJudgeTest, AnInterruptionEndsTheJudgeAndBreaksNothing) {
  const auto judge = Judge("sleep 600");
  std::thread user([this] {
    std::this_thread::sleep_for(100ms);
    stopped_ = true;
  });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(judge->Ask(tests::Chain(1)).is_answer);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 60s);
  EXPECT_FALSE(judge->broken());
  user.join();
}

TEST_F(OutsideJudgeTest, WhatIsNoProgramIsRefused) {
  const auto find = [](const std::string& path) {
    return OutsideJudge::Find(path, 1s, {}, [] { return false; }).error().message;
  };
  EXPECT_EQ(find(folder_ / "nothing"), "cannot be run: No such file or directory");
  EXPECT_EQ(find(folder_.path()), "cannot be run: it is a folder");
}

}  // namespace
}  // namespace culprit::hunt
