// SPDX-License-Identifier: Apache-2.0
#include "backend/failure/failure_kinds.h"

#include <gtest/gtest.h>

namespace culprit::backend {
namespace {

TEST(FailureKindsTest, EveryKindIsKnownByItsOwnNameAndByItsHyphenatedOne) {
  const std::vector<std::string> names = NamesOfFailureKinds();
  for (size_t i = 0; i < names.size(); ++i) {
    const auto kind = static_cast<FailureKind>(i);
    EXPECT_EQ(ParseFailureKind(NameOf(kind)).value(), kind);
    EXPECT_EQ(ParseFailureKind(names[i]).value(), kind);
    EXPECT_EQ(names[i].find_first_of(" _,"), std::string::npos) << names[i];
  }
  EXPECT_EQ(names.back(), "non-deterministic");
}

TEST(FailureKindsTest, SpellingsDoNotMatter) {
  EXPECT_EQ(ParseFailureKind("Wrong Values").value(), FailureKind::kWrongValues);
  EXPECT_EQ(ParseFailureKind("nan").value(), FailureKind::kNan);
  EXPECT_EQ(ParseFailureKind("requires-grad").value(), FailureKind::kRequiresGrad);
  EXPECT_EQ(ParseFailureKind("time limit").value(), FailureKind::kTimeout);
  EXPECT_EQ(ParseFailureKind("memory-limit").value(), FailureKind::kMemory);
}

TEST(FailureKindsTest, AnUnknownKindIsAnErrorThatNamesTheNearest) {
  const base::Diagnostic error = ParseFailureKind("aliassing").error();
  EXPECT_EQ(error.message, "there is no kind of failure 'aliassing', did you mean 'aliasing'?");
  EXPECT_EQ(error.notes.size(), 1u);
  EXPECT_TRUE(error.notes[0].starts_with("the kinds are exception, signal, timeout, memory, exit, "));
  EXPECT_FALSE(ParseFailureKind("").ok());
}

TEST(FailureKindsTest, ASetIsWrittenWithCommas) {
  const FailureKinds kinds = {FailureKind::kWrongValues, FailureKind::kAliasing};
  EXPECT_EQ(FailureKindsToString(kinds), "wrong-values,aliasing");
  EXPECT_EQ(ParseFailureKinds("aliasing, wrong values").value(), kinds);
  EXPECT_EQ(ParseFailureKinds("").value(), FailureKinds{});
  EXPECT_FALSE(ParseFailureKinds("aliasing,,dtype").ok());
}

}  // namespace
}  // namespace culprit::backend
