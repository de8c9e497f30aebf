// SPDX-License-Identifier: Apache-2.0
#include "backend/spec.h"

#include <gtest/gtest.h>

namespace culprit::backend {
namespace {

std::string ErrorOf(std::string_view text) {
  const base::Result<Spec> spec = ParseSpec(text);
  return spec.ok() ? "no error" : spec.error().message;
}

TEST(SpecTest, ANameAloneHasNoOptions) {
  EXPECT_EQ(*ParseSpec("eager"), Spec{"eager"});
}

TEST(SpecTest, OptionsAndSwitchesAreKeptInOrder) {
  const Spec spec = *ParseSpec("torchscript:stage=ofi,off=fold,calls=3,off=fuse@2,off=codegen@5+");
  EXPECT_EQ(spec.options, (std::vector<OptionSetting>{{"stage", "ofi"}, {"calls", "3"}}));
  EXPECT_EQ(spec.off, (std::vector<SwitchOff>{{"fold"}, {"fuse", 2}, {"codegen", 5, true}}));
}

TEST(SpecTest, WhatIsWrittenIsReadAgain) {
  for (const char* text :
       {"eager", "./lib:1/mine.so:opt=1", "a:x=1\\,2\\\\,off=b@3+", "a:x=", "a:path=/b:c/d"}) {
    EXPECT_EQ(ParseSpec(text)->ToString(), text);
  }
}

TEST(SpecTest, ColonsInFoldersDoNotBeginTheOptions) {
  EXPECT_EQ(ParseSpec("/a:b/libmine.so:opt=1")->name, "/a:b/libmine.so");
}

TEST(SpecTest, OptionsOfACommandBeginBeforeAKey) {
  const Spec spec = *ParseSpec("exec:ssh me@there:22 python3 a/b.py --serve:level=2,off=x");
  EXPECT_EQ(spec.command(), "ssh me@there:22 python3 a/b.py --serve");
  EXPECT_EQ(spec.options, (std::vector<OptionSetting>{{"level", "2"}}));
  EXPECT_EQ(spec.ToString(), "exec:ssh me@there:22 python3 a/b.py --serve:level=2,off=x");
  EXPECT_EQ(ParseSpec("exec:serve")->command(), "serve");
}

TEST(SpecTest, ACommandIsNoFile) {
  EXPECT_FALSE(ParseSpec("exec:python3 a/b.py")->names_file());
  EXPECT_FALSE(ParseSpec("./libmine.so")->names_server_file());
  EXPECT_TRUE(ParseSpec("./mine.py:level=2")->names_server_file());
}

TEST(SpecTest, WhatIsNoSpecIsRefused) {
  EXPECT_FALSE(ParseSpec("exec:").ok());
  EXPECT_FALSE(ParseSpec("exec::level=2").ok());
  EXPECT_EQ(ErrorOf(""), "there is no name in front of the options");
  EXPECT_EQ(ErrorOf(":a=1"), "there is no name in front of the options");
  EXPECT_EQ(ErrorOf("a:"), "'' is no option, which would be written key=value");
  EXPECT_EQ(ErrorOf("a:b"), "'b' is no option, which would be written key=value");
  EXPECT_EQ(ErrorOf("a:off=b@0"), "'b@0' is no switch, which would be written NAME, NAME@N or NAME@N+");
}

}  // namespace
}  // namespace culprit::backend
