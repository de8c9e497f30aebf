// SPDX-License-Identifier: Apache-2.0
#include "watch/watched_backend.h"

#include <culprit/errors.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "base/internal_error.h"
#include "tests/lib/watched_graph.h"
#include "watch/open.h"
#include "watch/session/not_watched.h"

namespace culprit::watch {
namespace {

using backend::Values;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using WatchedBackendTest = tests::WatchedGraphTest;
using tests::Numbers;

void ThrowNoRoom() {
  throw std::out_of_range("no room");
}

TEST_F(WatchedBackendTest, WhatCannotBeCompiledSaysSoWithTheCause) {
  odd_.compile = [](graph::Graph&, const Values&) { ThrowNoRoom(); };
  try {
    Compile();
    FAIL() << "nothing was thrown";
  } catch (const BackendCompilerFailed& failed) {
    EXPECT_EQ(failed.graph(), "net_0_inference");
    EXPECT_EQ(failed.signature(), "compile: exception std::out_of_range: no room");
    EXPECT_EQ(tests::OpenedRepro(failed.repro()).script.graph.name(), "net_0_inference");
    EXPECT_THROW(std::rethrow_exception(failed.cause()), std::out_of_range);
  }
  EXPECT_EQ(session_->counters().failures, 1);
}

TEST_F(WatchedBackendTest, WithoutAWatcherItSaysSoToo) {
  settings_.repro_after = "none";
  odd_.compile = [](graph::Graph&, const Values&) { ThrowNoRoom(); };
  EXPECT_THROW(Compile(), BackendCompilerFailed);
  EXPECT_THAT(Repros(), IsEmpty());
}

TEST_F(WatchedBackendTest, AtLevel0NothingStandsBetweenProgramAndCompiledGraph) {
  settings_.repro_level = 0;
  EXPECT_NE(dynamic_cast<tests::OddCompiled*>(Compile().get()), nullptr);
}

TEST_F(WatchedBackendTest, AnExceptionOfACallComesOutWithItsType) {
  odd_.call = [](Values&, Values&) { ThrowNoRoom(); };
  const auto compiled = Compile();
  EXPECT_THROW(Call(*compiled), std::out_of_range);
  ASSERT_THAT(Repros(), SizeIs(1));
  EXPECT_THAT(Repros()[0].header.expected, HasSubstr("no room"));
}

TEST_F(WatchedBackendTest, Level1RecordsNoFailure) {
  settings_.repro_level = 1;
  odd_.call = [](Values&, Values&) { ThrowNoRoom(); };
  const auto compiled = Compile();
  EXPECT_THROW(Call(*compiled), std::out_of_range);
  ASSERT_THAT(Repros(), SizeIs(1));
  EXPECT_EQ(Repros()[0].header.expected, "");
}

TEST_F(WatchedBackendTest, TheSameFailureIsCountedEveryTimeAndWrittenOnce) {
  odd_.call = [](Values&, Values&) { ThrowNoRoom(); };
  const auto compiled = Compile();
  for (int i = 0; i < 5; ++i) EXPECT_THROW(Call(*compiled), std::out_of_range);
  EXPECT_EQ(session_->counters().failures, 5);
  EXPECT_THAT(Repros(), SizeIs(1));
}

TEST_F(WatchedBackendTest, WhatTheGraphItselfThrowsIsNoFailure) {
  graph_ = tests::ShortGraph("x\nmm = mm.default(x, x)\nreturn (mm,)\n");
  const auto compiled = Compile();
  EXPECT_THROW(Call(*compiled), c10::Error);
  EXPECT_EQ(session_->counters().failures, 0);
  EXPECT_THAT(Repros(), IsEmpty());
}

TEST_F(WatchedBackendTest, AGraphThatThrowsSomethingElseDoesNotExcuseTheCompiler) {
  graph_ = tests::ShortGraph("x\nmm = mm.default(x, x)\nreturn (mm,)\n");
  settings_.suppress_errors = true;
  odd_.before = ThrowNoRoom;
  const auto compiled = Compile();
  // Run as written it throws what it throws.
  EXPECT_THROW(Call(*compiled), c10::Error);
  EXPECT_EQ(session_->counters().failures, 1);
  ASSERT_THAT(Repros(), SizeIs(1));
  EXPECT_THAT(Repros()[0].header.expected, HasSubstr("no room"));
}

TEST_F(WatchedBackendTest, WhatTheGraphItselfThrowsIsNoFailureAlsoInTheWordsOfTorchScript) {
  graph_ = tests::ShortGraph("x\nmm = mm.default(x, x)\nreturn (mm,)\n");
  const OpenedBackend opened = *watch::Open("torchscript", settings_);
  const auto compiled = opened.backend->Compile(graph_, {Numbers()});
  EXPECT_ANY_THROW(Call(*compiled));
  EXPECT_EQ(opened.session->counters().failures, 0);
}

TEST_F(WatchedBackendTest, WrongNumbersAreFoundAtLevel4) {
  settings_.repro_level = 4;
  odd_.call = [](Values&, Values& outputs) { outputs[0] = outputs[0].toTensor().add(1); };
  const auto compiled = Compile();
  try {
    Call(*compiled);
    FAIL() << "nothing was thrown";
  } catch (const AccuracyError& error) {
    EXPECT_EQ(error.signature(), "compare: wrong values in outputs[0] (call 1)");
    EXPECT_THAT(error.what(), HasSubstr("outputs[0] differs by up to 1\n"));
  }
}

TEST_F(WatchedBackendTest, BelowLevel4NumbersAreNotLookedAt) {
  odd_.call = [](Values&, Values& outputs) { outputs[0] = outputs[0].toTensor().add(1); };
  const auto compiled = Compile();
  EXPECT_NO_THROW(Call(*compiled));
  EXPECT_EQ(session_->counters().checked, 0);
}

TEST_F(WatchedBackendTest, RoundingIsNoFailure) {
  settings_.repro_level = 4;
  odd_.call = [](Values&, Values& outputs) { outputs[0] = outputs[0].toTensor().mul(1.000001); };
  const auto compiled = Compile();
  EXPECT_NO_THROW(Call(*compiled));
  EXPECT_EQ(session_->counters().checked, 1);
}

TEST_F(WatchedBackendTest, OneCallInSoManyIsChecked) {
  settings_.repro_level = 4;
  settings_.check_every = 3;
  const auto compiled = Compile();
  for (int i = 0; i < 7; ++i) Call(*compiled);
  EXPECT_EQ(session_->counters().checked, 3);
}

TEST_F(WatchedBackendTest, RandomNumbersAreTheSameOnBothSides) {
  graph_ = tests::ShortGraph("x\nnoise = rand_like.default(x)\nreturn (noise,)\n");
  settings_.repro_level = 4;
  const auto compiled = Compile();
  EXPECT_NO_THROW(Call(*compiled));
  EXPECT_EQ(session_->counters().checked, 1);
}

TEST_F(WatchedBackendTest, WhatTheGraphWritesIsComparedAndOnlyWrittenOnce) {
  graph_ = tests::ShortGraph("x\nadd = add_.Scalar(x, 1)\nreturn ()\n");
  settings_.repro_level = 4;
  const auto compiled = Compile();
  const at::Tensor x = Numbers();
  Values inputs{x};
  compiled->Call(inputs);
  EXPECT_TRUE(x.equal(Numbers().add(1)));
  odd_.call = [&](Values&, Values&) { x.data_ptr<float>()[0] = 9; };
  inputs = {x};
  EXPECT_THROW(compiled->Call(inputs), AccuracyError);
  ASSERT_THAT(Repros(), SizeIs(1));
}

TEST_F(WatchedBackendTest, AnInputThatIsWrittenInSilenceIsFound) {
  settings_.repro_level = 4;
  odd_.call = [](Values& inputs, Values&) { inputs[0].toTensor().data_ptr<float>()[0] = 9; };
  const auto compiled = Compile();
  try {
    Call(*compiled);
    FAIL() << "nothing was thrown";
  } catch (const AccuracyError& error) {
    EXPECT_EQ(error.signature(), "compare: mutated input in inputs[0] (call 1)");
  }
}

TEST_F(WatchedBackendTest, ACallThatClearsItsArgumentsHarmsNobody) {
  settings_.repro_level = 4;
  odd_.call = [](Values& inputs, Values&) {
    inputs.clear();
    ThrowNoRoom();
  };
  const auto compiled = Compile();
  EXPECT_THROW(Call(*compiled), std::out_of_range);
  const std::vector<repro::ReadRepro> repros = Repros();
  ASSERT_THAT(repros, SizeIs(1));
  EXPECT_EQ(repros[0].script.graph.name(), "net_0_inference");
}

TEST_F(WatchedBackendTest, SuppressedCompileErrorsRunAsWritten) {
  settings_.suppress_errors = true;
  odd_.compile = [](graph::Graph&, const Values&) { ThrowNoRoom(); };
  const auto compiled = Compile();
  ExpectRight(Call(*compiled));
  EXPECT_EQ(session_->counters().failures, 1);
  EXPECT_EQ(session_->counters().suppressed, 1);
  EXPECT_THAT(Repros(), SizeIs(1));
}

TEST_F(WatchedBackendTest, SuppressedErrorsOfCallsRunAsWritten) {
  settings_.suppress_errors = true;
  odd_.call = [](Values&, Values&) { ThrowNoRoom(); };
  ExpectRight(Call(*Compile()));
  EXPECT_EQ(session_->counters().suppressed, 1);
}

TEST_F(WatchedBackendTest, SuppressedWrongNumbersBecomeRight) {
  settings_.suppress_errors = true;
  settings_.repro_level = 4;
  odd_.call = [](Values&, Values& outputs) { outputs[0] = outputs[0].toTensor().add(1); };
  ExpectRight(Call(*Compile()));
}

TEST_F(WatchedBackendTest, WritesOfAFailedCallAreTakenBackBeforeItRunsAsWritten) {
  graph_ = tests::ShortGraph("x\nadd = add_.Scalar(x, 1)\nreturn ()\n");
  settings_.suppress_errors = true;
  odd_.call = [](Values&, Values&) { ThrowNoRoom(); };
  const auto compiled = Compile();
  const at::Tensor x = Numbers();
  Values inputs{x};
  compiled->Call(inputs);
  EXPECT_TRUE(x.equal(Numbers().add(1)));
}

TEST_F(WatchedBackendTest, BehindCaptureTheGraphIsTriedOnClonesFirst) {
  settings_.repro_after = "capture";
  odd_.call = [](Values&, Values&) { ThrowNoRoom(); };
  const auto compiled = Compile(Point::kCapture);
  EXPECT_EQ(odd_.calls, 1);
  EXPECT_THAT(Repros(), SizeIs(1));
  for (int calls = 1; calls <= 3; ++calls) {
    EXPECT_THROW(Call(*compiled), std::out_of_range);
    EXPECT_EQ(session_->counters().failures, calls);
  }
  EXPECT_THAT(Repros(), SizeIs(1));
}

TEST_F(WatchedBackendTest, WhatFailsWhenItIsTriedMayWorkWithOtherNumbers) {
  settings_.repro_after = "capture";
  odd_.call = [](Values&, Values&) { ThrowNoRoom(); };
  const auto compiled = Compile(Point::kCapture);
  odd_.call = [](Values&, Values&) {};
  EXPECT_THROW(Call(*compiled), std::out_of_range);
  ExpectRight(Call(*compiled));
}

TEST_F(WatchedBackendTest, BehindCaptureWhatTheProgramCallsWasNotCalledBefore) {
  settings_.repro_after = "capture";
  Compile(Point::kCapture);
  EXPECT_EQ(odd_.compilations, 2);
  EXPECT_EQ(odd_.calls, 1);
}

TEST_F(WatchedBackendTest, BehindCaptureWrongGradientsAreFound) {
  graph_ = tests::ShortGraph("x\nsin = sin.default(x)\nreturn (sin,)\n");
  settings_.repro_after = "capture";
  settings_.repro_level = 4;
  const auto compiled = Compile(Point::kCapture);
  // Right numbers whose gradient is twice what it should be.
  odd_.call = [](Values& inputs, Values& outputs) {
    const at::Tensor sin = inputs[0].toTensor().sin();
    outputs[0] = sin.mul(2).sub(sin.detach());
  };
  Values inputs{Numbers().set_requires_grad(true)};
  try {
    compiled->Call(inputs);
    FAIL() << "nothing was thrown";
  } catch (const AccuracyError& error) {
    EXPECT_THAT(error.signature(), HasSubstr("wrong gradient in gradients.inputs[0]"));
  }
}

TEST_F(WatchedBackendTest, VerifyCorrectnessNeedsNoWatcher) {
  settings_.repro_after = "none";
  settings_.verify_correctness = true;
  odd_.call = [](Values&, Values& outputs) { outputs[0] = outputs[0].toTensor().add(5e-4); };
  EXPECT_THROW(Compile(Point::kCapture), AccuracyError);
  EXPECT_THAT(Repros(), IsEmpty());
}

TEST_F(WatchedBackendTest, AFolderThatCannotBeWrittenIsOneWarning) {
  settings_.directory = "/proc/nowhere";
  int texts = 0;
  odd_.call = [&](Values&, Values&) { throw std::runtime_error("no room" + std::string(++texts, '!')); };
  const auto compiled = Compile();
  for (int i = 0; i < 3; ++i) EXPECT_THROW(Call(*compiled), std::runtime_error);
  ASSERT_THAT(warnings_, SizeIs(1));
  EXPECT_THAT(warnings_[0], HasSubstr("/proc/nowhere: warning: the folder cannot be made"));
  EXPECT_THAT(warnings_[0], HasSubstr("CULPRIT_DIRECTORY=DIR"));
}

TEST_F(WatchedBackendTest, AFailureThatCouldNotBeWrittenIsWrittenTheNextTime) {
  const std::string in_the_way = runs_ / "runs";
  tests::WriteWholeFile(in_the_way, "");
  settings_.directory = in_the_way;
  odd_.call = [](Values&, Values&) { ThrowNoRoom(); };
  const auto compiled = Compile();
  EXPECT_THROW(Call(*compiled), std::out_of_range);
  EXPECT_THAT(warnings_, SizeIs(1));
  std::filesystem::remove(in_the_way);
  EXPECT_THROW(Call(*compiled), std::out_of_range);
  EXPECT_THAT(tests::NamesIn(in_the_way), SizeIs(2));
}

TEST_F(WatchedBackendTest, WhileACheckRunsNothingIsWatched) {
  odd_.call = [](Values&, Values&) { ThrowNoRoom(); };
  const auto compiled = Compile();
  const NotWatched off;
  EXPECT_THROW(Call(*compiled), std::out_of_range);
  EXPECT_EQ(session_->counters().failures, 0);
}

TEST_F(WatchedBackendTest, WhoWaitsForACheckDoesNotKeepOthersFromTheCompiler) {
  const auto compiled = Compile();
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  odd_.call = [&](Values&, Values&) {
    most = std::max<int>(most, ++running);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    --running;
    ThrowNoRoom();
  };
  std::vector<std::jthread> threads;
  {
    const CheckScope check;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] { EXPECT_THROW(Call(*compiled), std::out_of_range); });
    EXPECT_THROW(Call(*compiled), std::out_of_range);
  }
  threads.clear();
  EXPECT_TRUE(compiled->is_thread_safe());
  EXPECT_EQ(most, 1);
  EXPECT_EQ(session_->counters().failures, 3);
}

TEST_F(WatchedBackendTest, WhatWritesIntoItsInputsIsWatchedOneCallAtATime) {
  graph_ = tests::ShortGraph("x\nadd = add_.Scalar(x, 1)\nreturn ()\n");
  EXPECT_FALSE(Compile()->is_thread_safe());
}

TEST_F(WatchedBackendTest, AnErrorOfCulpritsOwnIsNoFailureOfACompiler) {
  odd_.call = [](Values&, Values&) { CULPRIT_CHECK(false, "a bug"); };
  const auto compiled = Compile();
  EXPECT_THROW(Call(*compiled), base::InternalError);
  EXPECT_EQ(session_->counters().failures, 0);
}

}  // namespace
}  // namespace culprit::watch
