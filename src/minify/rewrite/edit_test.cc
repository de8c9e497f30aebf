// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/edit.h"

#include <gtest/gtest.h>

#include "tests/lib/fake_checks.h"

namespace culprit::minify {
namespace {

using tests::Chain;
using tests::OperatorsOf;

const std::map<size_t, std::string> kOthers = {{1, "exp"}, {3, "tanh"}};

TEST(EditTest, KeepsJustTheNamedNodes) {
  const Subject subject = *Subject::Make(Chain(5, kOthers));
  EXPECT_EQ(OperatorsOf(*KeepNodes("", {"tanh", "exp"}).apply(subject)),
            (std::vector<std::string>{"exp", "tanh"}));
}

TEST(EditTest, DropsJustTheNamedNodes) {
  const Subject subject = *Subject::Make(Chain(5, kOthers));
  EXPECT_EQ(OperatorsOf(*DropNodes("", {"tanh", "exp"}).apply(subject)),
            (std::vector<std::string>{"sin", "sin", "sin"}));
}

TEST(EditTest, NodesThatAreGoneDoNotMatter) {
  const Subject subject = *Subject::Make(*DropNodes("", {"exp"}).apply(*Subject::Make(Chain(5, kOthers))));
  EXPECT_EQ(OperatorsOf(*KeepNodes("", {"tanh", "exp"}).apply(subject)), std::vector<std::string>{"tanh"});
}

TEST(EditTest, WhatWouldLeaveAllOrNothingIsRefused) {
  const Subject subject = *Subject::Make(Chain(2));
  EXPECT_FALSE(KeepNodes("", {"gone"}).apply(subject).ok());
  EXPECT_FALSE(KeepNodes("", {"sin", "sin_1"}).apply(subject).ok());
  EXPECT_FALSE(DropNodes("", {"gone"}).apply(subject).ok());
  EXPECT_FALSE(DropNodes("", {"sin", "sin_1"}).apply(subject).ok());
}

}  // namespace
}  // namespace culprit::minify
