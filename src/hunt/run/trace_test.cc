// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/lib/fake_checks.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::hunt {
namespace {

const Plan kPlan = {.expected = {{.phase = backend::FailurePhase::kCompile, .message = "no such thing"},
                                 backend::MatchMode::kKind,
                                 7},
                    .strategies = {"drop", "bypass"},
                    .judge = "./judge",
                    .costs = minify::Costs({{"tanh", 0.1}, {"exp", 1e-7}}),
                    .sources = {{"tanh", "net.py:3"}},
                    .first = {{minify::Answer::kSameFailure}, {0, 2}}};

class TraceTest : public testing::Test {
 protected:
  void WriteAnswer(TraceWriter& writer, uint64_t hash, const minify::Reply& reply) {
    const minify::Program program = tests::Chain(2);
    const std::string edit = "drop sin";
    ASSERT_TRUE(writer.WriteAnswer({{hash, 1}, program, reply, "drop", edit}, 0.5).ok());
  }

  tests::TemporaryFolder folder_;
  std::string path_ = folder_ / "trace.jsonl";
};

TEST_F(TraceTest, ThePlanComesBack) {
  ASSERT_TRUE(TraceWriter::Create(path_, kPlan).ok());
  const Plan plan = OpenTrace(path_)->plan;
  EXPECT_EQ(plan.expected.signature, kPlan.expected.signature);
  EXPECT_EQ(plan.expected.match, kPlan.expected.match);
  EXPECT_EQ(plan.expected.repeats, 7);
  EXPECT_EQ(plan.strategies, kPlan.strategies);
  EXPECT_EQ(plan.judge, "./judge");
  EXPECT_EQ(plan.costs.by_name(), kPlan.costs.by_name());
  EXPECT_EQ(plan.sources, kPlan.sources);
  EXPECT_EQ(plan.first.wrong_outputs, kPlan.first.wrong_outputs);
}

TEST_F(TraceTest, AnswersStepsAndFindsComeBack) {
  auto writer = TraceWriter::Create(path_, kPlan);
  const backend::FailureSignature failure = {.kind = backend::FailureKind::kSignal, .signal = "SIGSEGV"};
  WriteAnswer(*writer, 5, {{minify::Answer::kOtherFailure, failure, "another signal"}, {1}});
  const minify::Program program = tests::Chain(1);
  ASSERT_TRUE(writer->WriteSmaller({program, {}, "drop"}, "checkpoints/001_1ops.py").ok());
  ASSERT_TRUE(writer->WriteFind({"SIGSEGV", 9, "finds/01.py"}).ok());
  ASSERT_TRUE(writer->WriteFind({"SIGSEGV", 4, "finds/01.py"}).ok());
  const auto trace = OpenTrace(path_);
  const minify::Reply& reply = trace->answers.at({5, 1});
  EXPECT_EQ(reply.verdict.answer, minify::Answer::kOtherFailure);
  EXPECT_EQ(reply.verdict.signature, failure);
  EXPECT_EQ(reply.verdict.reason, "another signal");
  EXPECT_EQ(reply.wrong_outputs, std::vector<size_t>{1});
  EXPECT_EQ(trace->seconds, 0.5);
  EXPECT_THAT(trace->steps, testing::ElementsAre("checkpoints/001_1ops.py"));
  ASSERT_EQ(trace->finds.size(), 1);
  EXPECT_EQ(trace->finds[0].operators, 4);
}

TEST_F(TraceTest, HalfALineAtTheEndIsCutOffWhenWritingGoesOn) {
  auto writer = TraceWriter::Create(path_, kPlan);
  WriteAnswer(*writer, 1, {});
  const std::string whole = tests::ReadWholeFile(path_);
  tests::WriteWholeFile(path_, whole + "{\"event\": \"answ");
  const auto trace = OpenTrace(path_);
  EXPECT_EQ(trace->answers.size(), 1);
  ASSERT_TRUE(TraceWriter::Append(path_, trace->whole_bytes).ok());
  EXPECT_EQ(tests::ReadWholeFile(path_), whole);
}

TEST_F(TraceTest, ALineThatIsNoEventIsAnErrorWithItsPlace) {
  { auto writer = TraceWriter::Create(path_, kPlan); }
  tests::WriteWholeFile(path_, tests::ReadWholeFile(path_) + "[1]\n");
  const auto trace = OpenTrace(path_);
  ASSERT_FALSE(trace.ok());
  EXPECT_THAT(trace.error().Render(), testing::StartsWith(path_ + ":2: error: not an event of a trace"));
}

TEST_F(TraceTest, ATraceIsNeverOverwritten) {
  ASSERT_TRUE(TraceWriter::Create(path_, kPlan).ok());
  EXPECT_FALSE(TraceWriter::Create(path_, kPlan).ok());
}

TEST_F(TraceTest, AFileOutsideTheFolderOfTheRunIsAnError) {
  const std::string begin = PlanToJson(kPlan) + "\n";
  for (const char* event : {R"({"event": "smaller", "operators": 1, "file": "../../x/checkpoints/1.py"})",
                            R"({"event": "smaller", "operators": 1, "file": "checkpoints/../../../x.py"})",
                            R"({"event": "find", "operators": 1, "signature": "s", "file": "/etc/x.py"})",
                            R"({"event": "find", "operators": 1, "signature": "s", "file": "finds/.py"})"}) {
    tests::WriteWholeFile(path_, begin + event + "\n");
    const auto trace = OpenTrace(path_);
    ASSERT_FALSE(trace.ok()) << event;
    EXPECT_THAT(trace.error().Render(), testing::HasSubstr("is no file of ")) << event;
  }
}

TEST_F(TraceTest, DeepNestingIsAnErrorAndNoCrash) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  tests::WriteWholeFile(path_, "{\"expected\": " + deep + "}\n");
  EXPECT_THAT(OpenTrace(path_).error().Render(), testing::HasSubstr("nested more than 32 deep"));
}

TEST_F(TraceTest, WhatATraceSaysIsSafeOnATerminal) {
  Plan plan = kPlan;
  plan.sources = {{"tanh", "\x1b[2J.py:3"}};
  auto writer = TraceWriter::Create(path_, plan);
  ASSERT_TRUE(writer->WriteFind({"\x1b[2J", 9, "finds/01.py"}).ok());
  const auto trace = OpenTrace(path_);
  EXPECT_EQ(trace->finds[0].signature, "\\x1b[2J");
  EXPECT_EQ(trace->plan.sources, (Sources{{"tanh", "\\x1b[2J.py:3"}}));
}

}  // namespace
}  // namespace culprit::hunt
