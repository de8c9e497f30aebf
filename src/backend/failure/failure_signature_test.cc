// SPDX-License-Identifier: Apache-2.0
#include "backend/failure/failure_signature.h"

#include <gtest/gtest.h>

namespace culprit::backend {
namespace {

const FailureSignature kException{.phase = FailurePhase::kCall,
                                  .kind = FailureKind::kException,
                                  .call = 2,
                                  .message = "Expected size N but got N"};
const FailureSignature kCrash{.phase = FailurePhase::kCompile,
                              .kind = FailureKind::kSignal,
                              .signal = "SIGSEGV",
                              .frames = {"mine::Emit", "mine::Lower"}};
const FailureSignature kWrongValues{.phase = FailurePhase::kCompare,
                                    .kind = FailureKind::kWrongValues,
                                    .call = 1,
                                    .guilty_output = "outputs[0]"};

TEST(FailureSignatureTest, IsOneLineForPeople) {
  EXPECT_EQ(kException.ToString(), "call 2: exception: Expected size N but got N");
  EXPECT_EQ(kCrash.ToString(), "compile: signal SIGSEGV in mine::Emit");
  EXPECT_EQ(kWrongValues.ToString(), "compare: wrong values in outputs[0] (call 1)");
  FailureSignature typed = kException;
  typed.exception_type = "c10::Error";
  typed.message = "a\nb";
  EXPECT_EQ(typed.ToString(), "call 2: exception c10::Error: a\\x0ab");
}

std::string LineOf(FailurePhase phase, FailureKind kind, std::optional<int> exit_code = std::nullopt) {
  return FailureSignature{.phase = phase, .kind = kind, .call = 1, .exit_code = exit_code}.ToString();
}

TEST(FailureSignatureTest, EveryKindHasItsWords) {
  EXPECT_EQ(LineOf(FailurePhase::kCall, FailureKind::kTimeout), "call 1: time limit exceeded");
  EXPECT_EQ(LineOf(FailurePhase::kCall, FailureKind::kMemory), "call 1: memory limit exceeded");
  EXPECT_EQ(LineOf(FailurePhase::kCall, FailureKind::kExit, 7), "call 1: exit with code 7");
  EXPECT_EQ(LineOf(FailurePhase::kCompare, FailureKind::kNan), "compare: NaN (call 1)");
  EXPECT_EQ(LineOf(FailurePhase::kCompare, FailureKind::kShape), "compare: wrong shape (call 1)");
  EXPECT_EQ(LineOf(FailurePhase::kCompare, FailureKind::kDtype), "compare: wrong dtype (call 1)");
  EXPECT_EQ(LineOf(FailurePhase::kCompare, FailureKind::kAliasing), "compare: wrong aliasing (call 1)");
  EXPECT_EQ(LineOf(FailurePhase::kCompare, FailureKind::kMutatedInput), "compare: mutated input (call 1)");
  EXPECT_EQ(LineOf(FailurePhase::kBackward, FailureKind::kGradient), "backward: wrong gradient (call 1)");
  EXPECT_EQ(LineOf(FailurePhase::kCompare, FailureKind::kRequiresGrad),
            "compare: wrong requires_grad (call 1)");
  EXPECT_EQ(LineOf(FailurePhase::kCompare, FailureKind::kNonDeterministic),
            "compare: results that vary from run to run (call 1)");
}

TEST(FailureSignatureTest, JsonLeavesOutWhatIsUnknown) {
  EXPECT_EQ(
      kCrash.ToJson(),
      R"({"phase":"compile","kind":"signal","signal":"SIGSEGV","frames":["mine::Emit","mine::Lower"]})");
  EXPECT_EQ(kWrongValues.ToJson(),
            R"({"phase":"compare","call":1,"kind":"wrong values","output":"outputs[0]"})");
}

TEST(FailureSignatureTest, JsonIsReadAgain) {
  const FailureSignature full{.phase = FailurePhase::kBackward,
                              .kind = FailureKind::kNonDeterministic,
                              .call = 3,
                              .message = "\"quoted\" \\ ä\n",
                              .exception_type = "std::runtime_error",
                              .signal = "SIGABRT",
                              .exit_code = -1,
                              .frames = {"a", "b", "c"},
                              .guilty_output = "gradients.inputs[2]"};
  for (const FailureSignature& signature : {full, kException, kCrash, kWrongValues})
    EXPECT_EQ(*FailureSignature::FromJson(signature.ToJson()), signature);
}

TEST(FailureSignatureTest, BytesThatAreNoTextDoNotStopTheJson) {
  FailureSignature signature = kException;
  signature.message = "\xff";
  EXPECT_TRUE(FailureSignature::FromJson(signature.ToJson()).ok());
}

std::string ErrorOf(std::string_view json) {
  const base::Result<FailureSignature> signature = FailureSignature::FromJson(json);
  return signature.ok() ? "no error" : signature.error().message;
}

TEST(FailureSignatureTest, WhatIsNoSignatureIsRefused) {
  EXPECT_EQ(ErrorOf("{"), "the signature of a failure is not valid JSON");
  EXPECT_EQ(ErrorOf("[]"), "the signature of a failure is not a JSON object");
  EXPECT_EQ(ErrorOf("{}"), "the signature of a failure lacks 'phase'");
  EXPECT_EQ(ErrorOf(R"({"phase":"call"})"), "the signature of a failure lacks 'kind'");
  EXPECT_EQ(ErrorOf(R"({"phase":"cal"})"),
            "'phase' of the signature of a failure must be one of compile, call, compare, backward");
  EXPECT_EQ(ErrorOf(R"({"call":-1})"),
            "'call' of the signature of a failure must be an integer from 0 to 2147483647");
  EXPECT_EQ(ErrorOf(R"({"message":1})"), "'message' of the signature of a failure must be a string");
  EXPECT_EQ(ErrorOf(R"({"frames":[1]})"), "'frames' of the signature of a failure must be a list of strings");
  EXPECT_EQ(ErrorOf(R"({"mesage":""})"),
            "the signature of a failure has no 'mesage', did you mean 'message'?");
}

}  // namespace
}  // namespace culprit::backend
