// SPDX-License-Identifier: Apache-2.0
#include "compare/verdict/verdict.h"

#include <gtest/gtest.h>

#include <set>

namespace culprit::compare {
namespace {

TEST(VerdictTest, PassesIfNothingIsWrong) {
  EXPECT_TRUE(Verdict{}.passes());
  EXPECT_TRUE((Verdict{{}, {{.passes = true}}}).passes());
}

TEST(VerdictTest, OneFailingOutputOrMismatchIsAFailure) {
  EXPECT_FALSE((Verdict{{}, {{.passes = true}, {.passes = false}}}).passes());
  EXPECT_FALSE((Verdict{{{MismatchKind::kShape, "[0]", "text"}}, {{.passes = true}}}).passes());
}

TEST(VerdictTest, EveryKindAndRuleHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(MismatchKind::kUnsupported); ++i)
    EXPECT_TRUE(names.insert(NameOf(static_cast<MismatchKind>(i))).second) << i;
  for (int i = 0; i <= static_cast<int>(Rule::kNoise); ++i) {
    const std::string_view name = NameOf(static_cast<Rule>(i));
    EXPECT_TRUE(name == "fp64" || names.insert(name).second) << i;
  }
  EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace culprit::compare
