// SPDX-License-Identifier: Apache-2.0
#include "backends/trust.h"

#include <gmock/gmock.h>

#include "backends/table.h"

namespace culprit::backends {
namespace {

std::string ErrorOf(const char* text) {
  const base::Status status = CheckFromFile(*backend::ParseSpec(text));
  return status.ok() ? "" : status.error().Render();
}

TEST(TrustTest, BuiltInBackendsWithHarmlessOptionsNeedNoWord) {
  EXPECT_EQ(ErrorOf("eager"), "");
  EXPECT_EQ(ErrorOf("torchscript:stage=ofi,calls=3,off=convert_to_mkldnn"), "");
  EXPECT_EQ(ErrorOf("native:math=exact,cache=off,partition=min-cut"), "");
}

TEST(TrustTest, APluginNeedsTheWordOfTheUserAndIsNotLoaded) {
  EXPECT_EQ(ErrorOf("./libnone.so:level=2"),
            "error: the file asks for the plug-in './libnone.so'\n"
            "  note: whoever wrote the file could run any code that way\n"
            "  help: if you trust it, add: --trust; to name the compiler yourself, add: --backend "
            "./libnone.so:level=2");
}

TEST(TrustTest, AServerNeedsItTooAndIsNotStarted) {
  EXPECT_THAT(ErrorOf("./none.py:level=2"), testing::HasSubstr("the file asks for the server './none.py'"));
  EXPECT_THAT(ErrorOf("exec:none --serve"),
              testing::HasSubstr("the file asks for the server 'exec:none --serve'"));
}

TEST(TrustTest, AnOptionThatLeadsToCodeNeedsTheWordOfTheUser) {
  EXPECT_THAT(ErrorOf("native:math=exact,cache_folder=kernels"),
              testing::HasSubstr("the file sets option 'cache_folder' of backend 'native' to 'kernels'"));
  EXPECT_THAT(ErrorOf("native:cache_mb=1"), testing::HasSubstr("option 'cache_mb'"));
}

TEST(TrustTest, AnInterpreterNeedsTheWordOfTheUserAndIsNotStarted) {
  for (const char* backend : {"inductor:python=/none/python", "native:python=/none/python"})
    EXPECT_THAT(ErrorOf(backend), testing::HasSubstr("the file sets option 'python' of backend ")) << backend;
}

TEST(TrustTest, WhatDoesNotExistIsReportedWhereItIsOpened) {
  EXPECT_EQ(ErrorOf("inductr:x=1"), "");
  EXPECT_EQ(ErrorOf("native:cache_foldr=x"), "");
}

/// A new option appears here, so that somebody decides what a file may do with it.
TEST(TrustTest, TheseOptionsAreUsedFromFiles) {
  std::vector<std::string> used;
  for (const Listed& listed : List("")) {
    for (const backend::OptionDescription& option : listed.description->options) {
      if (option.from_file == backend::FromFile::kUse) used.push_back(listed.name + ":" + option.name);
    }
  }
  EXPECT_THAT(
      used, testing::UnorderedElementsAre("aot-eager:partition", "torchscript:stage", "torchscript:executor",
                                          "torchscript:calls", "torchscript:graphs", "torchscript:partition",
                                          "native:math", "native:codegen", "native:registers",
                                          "native:parameters", "native:cache", "native:partition"));
}

}  // namespace
}  // namespace culprit::backends
