// SPDX-License-Identifier: Apache-2.0
#include "faults/fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::faults {
namespace {

TEST(FaultTest, HasAWhereAKindAndMaybeAnArgument) {
  const Fault fault = *ParseFault("aten::add.Tensor:flaky:5");
  EXPECT_EQ(fault.where, *ParseWhere("aten::add.Tensor"));
  EXPECT_EQ(fault.kind->name, "flaky");
  EXPECT_EQ(fault.argument, 5u);
}

TEST(FaultTest, EveryKindIsReadAndWritten) {
  for (const FaultKind& kind : AllFaultKinds()) {
    const std::string text = fmt::format("aten::sin&tanh:{}{}", kind.name, kind.argument.empty() ? "" : ":3");
    const base::Result<Fault> fault = ParseFault(text);
    ASSERT_TRUE(fault.ok()) << text;
    EXPECT_EQ(fault->ToString(), text);
    EXPECT_EQ(fault->kind, &kind);
  }
}

TEST(FaultTest, TheKindsAreTheseByTheseNames) {
  std::vector<std::string_view> names;
  for (const FaultKind& kind : AllFaultKinds()) names.push_back(kind.name);
  EXPECT_THAT(names,
              testing::ElementsAre("compile-error", "runtime-error", "nonstandard-throw", "accuracy", "nan",
                                   "gradient", "shape", "dtype", "writes-input", "segfault", "abort",
                                   "stack-overflow", "hang", "compile-segfault", "compile-hang", "memory",
                                   "exit0", "exit7", "late", "flaky", "above", "wrong-loop", "pass-crash",
                                   "wrong-fusion", "wrong-index", "wrong-memory", "wrong-code"));
}

std::string ErrorOf(std::string_view text) {
  const base::Result<Fault> fault = ParseFault(text);
  return fault.ok() ? "no error" : fault.error().message;
}

TEST(FaultTest, WhatIsNoFaultIsRefused) {
  EXPECT_EQ(ErrorOf("tanh"), "there is no kind");
  EXPECT_EQ(ErrorOf("aten::tanh"), "there is no kind");
  EXPECT_EQ(ErrorOf(":accuracy"),
            "'' is no operator, which would be written tanh, aten::tanh or aten::add.Tensor");
  EXPECT_EQ(ErrorOf("tanh:acuracy"), "unknown kind 'acuracy', did you mean 'accuracy'?");
  EXPECT_EQ(ErrorOf("tanh:"), "unknown kind ''");
  EXPECT_EQ(ErrorOf("tanh:nan:3"), "'nan' takes no argument");
  EXPECT_EQ(ErrorOf("tanh:flaky"), "'flaky' lacks its argument, as in flaky:N");
  EXPECT_EQ(ErrorOf("tanh:above:"), "NUMEL of 'above' is an integer from 1 on, not ''");
  EXPECT_EQ(ErrorOf("tanh:flaky:0"), "N of 'flaky' is an integer from 1 on, not '0'");
  EXPECT_EQ(ErrorOf("tanh:flaky:1.5"), "N of 'flaky' is an integer from 1 on, not '1.5'");
}

TEST(FaultTest, TheErrorShowsTheFaultAndTheWayOn) {
  EXPECT_EQ(ParseFault("tanh:nope").error().Render(),
            "fault 'tanh:nope': error: unknown kind 'nope'\n"
            "  help: a fault is written as WHERE:KIND or WHERE:KIND:ARGUMENT; to see all kinds, run: culprit "
            "faults");
}

TEST(ParseFaultsTest, BelowAutogradOperatorsThatWriteAreThoseThatDoNot) {
  const std::vector<std::string> texts = {"relu_:accuracy", "sin>relu:accuracy"};
  const graph::Operator& relu = graph::Operator::Get("aten::relu");
  const graph::Operator& relu_in_place = graph::Operator::Get("aten::relu_");
  const std::vector<Fault> captured = *ParseFaults(texts, /*below_autograd=*/false);
  EXPECT_FALSE(captured[0].where.guilty.Matches(relu));
  EXPECT_FALSE(captured[1].where.guilty.Matches(relu_in_place));
  const std::vector<Fault> below = *ParseFaults(texts, /*below_autograd=*/true);
  for (const Fault& fault : below) {
    EXPECT_TRUE(fault.where.guilty.Matches(relu)) << fault.ToString();
    EXPECT_TRUE(fault.where.guilty.Matches(relu_in_place)) << fault.ToString();
    EXPECT_FALSE(fault.where.guilty.Matches(graph::Operator::Get("aten::relu6"))) << fault.ToString();
  }
  EXPECT_FALSE(ParseFaults(std::vector<std::string>{"relu"}, false).ok());
}

}  // namespace
}  // namespace culprit::faults
