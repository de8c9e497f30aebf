// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/finding_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::check {
namespace {

using testing::HasSubstr;

Finding BackAndForth(const Finding& finding) {
  const std::string text = FindingToJson(finding);
  EXPECT_EQ(text.find('\n'), std::string::npos) << "one line";
  base::Result<Finding> read = FindingFromJson(text);
  EXPECT_TRUE(read.ok()) << read.error().message;
  return read.ok() ? *std::move(read) : Finding{};
}

std::string ErrorOf(std::string_view text) {
  const base::Result<Finding> finding = FindingFromJson(text);
  return finding.ok() ? "no error" : finding.error().message;
}

TEST(FindingJsonTest, WhatPassesComesBack) {
  const Finding finding = BackAndForth({});
  EXPECT_TRUE(finding.passes());
  EXPECT_TRUE(finding.wrong_outputs.empty());
  EXPECT_TRUE(finding.warnings.empty());
}

TEST(FindingJsonTest, AFailureComesBackWithAllItsParts) {
  const Finding finding{.failure = backend::FailureSignature{.phase = backend::FailurePhase::kCall,
                                                             .kind = backend::FailureKind::kSignal,
                                                             .call = 2,
                                                             .message = "stack overflow",
                                                             .exception_type = "c10::Error",
                                                             .signal = "SIGSEGV",
                                                             .exit_code = 7,
                                                             .frames = {"mine::Emit", "mine::Lower"},
                                                             .guilty_output = "outputs[0]"},
                        .also = {{.kind = backend::FailureKind::kMutatedInput}, {.message = "x"}},
                        .wrong_outputs = {0, 7},
                        .warnings = {"one", "two\nlines"}};
  const Finding read = BackAndForth(finding);
  EXPECT_EQ(read.failure, finding.failure);
  EXPECT_EQ(read.also, finding.also);
  EXPECT_EQ(read.wrong_outputs, finding.wrong_outputs);
  EXPECT_EQ(read.warnings, finding.warnings);
  EXPECT_EQ(read.invalid, "");
}

TEST(FindingJsonTest, HelpAndNearnessToNoiseComeBack) {
  const Finding read = BackAndForth({.help = "type this", .is_near_noise = true});
  EXPECT_EQ(read.help, "type this");
  EXPECT_TRUE(read.is_near_noise);
}

TEST(FindingJsonTest, AReasonWhyItIsInvalidComesBack) {
  EXPECT_EQ(BackAndForth({.invalid = "eager itself failed: \"no\"\n"}).invalid,
            "eager itself failed: \"no\"\n");
}

TEST(FindingJsonTest, AnyBytesCanBeSent) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  const Finding read = BackAndForth(
      {.failure = backend::FailureSignature{.message = bytes}, .invalid = bytes, .warnings = {bytes}});
  for (const std::string& text : {read.failure->message, read.invalid, read.warnings.at(0)}) {
    EXPECT_EQ(text.substr(0, 128), bytes.substr(0, 128)) << "what is text stays";
    EXPECT_THAT(text, HasSubstr("\xEF\xBF\xBD")) << "what is none is replaced";
  }
}

TEST(FindingJsonTest, JunkIsRefused) {
  for (const char* junk :
       {"", "{", "null", "[]", "7", "\"text\"", "{}", R"({"wrong_outputs": []})",
        R"({"wrong_outputs": [-1.5, "x"], "warnings": []})", R"({"wrong_outputs": [], "warnings": [1]})",
        R"({"wrong_outputs": [], "warnings": [], "invalid": 5})",
        R"({"wrong_outputs": [], "warnings": [], "failure": {}})",
        R"({"wrong_outputs": [], "warnings": [], "also": [{}]})"})
    EXPECT_THAT(ErrorOf(junk), testing::StartsWith("no finding: ")) << junk;
  EXPECT_EQ(ErrorOf(R"({"wrong_outputs": [], "warnings": [], "failure": "{}"})"),
            "the signature of a failure lacks 'phase'");
}

TEST(FindingJsonTest, WhatWasIgnoredAndHowWrongItIsComeBack) {
  Finding finding;
  finding.ignored = {{.phase = backend::FailurePhase::kCompare, .kind = backend::FailureKind::kAliasing}};
  finding.how_wrong = HowWrong{.elements = 8, .wrong = 3, .max_abs = 0.5, .max_rel = 2};
  const Finding back = BackAndForth(finding);
  EXPECT_EQ(back.ignored, finding.ignored);
  EXPECT_EQ(back.how_wrong, finding.how_wrong);
}

}  // namespace
}  // namespace culprit::check
