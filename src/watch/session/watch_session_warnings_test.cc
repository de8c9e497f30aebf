// SPDX-License-Identifier: Apache-2.0
//
// What a program is told when watching itself does not work as it should.
#include <ATen/ops/_nested_from_padded.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/lib/watched_graph.h"
#include "watch/session/watch_session.h"

namespace culprit::watch {
namespace {

using backend::Values;
using testing::ElementsAre;
using testing::StartsWith;

class SessionWarningsTest : public tests::WatchedGraphTest {
 protected:
  void CallAndFail(backend::Compiled& compiled) {
    Values inputs = inputs_;
    EXPECT_ANY_THROW(compiled.Call(inputs));
  }

  /// The one folder that there is.
  std::string Folder() const {
    for (const std::string& name : tests::NamesIn(runs_.path())) {
      if (name != "latest") return runs_.path() + "/" + name;
    }
    return "";
  }
};

void ThrowNoRoom(Values&, Values&) {
  throw std::runtime_error("no room");
}

TEST_F(SessionWarningsTest, AnInputThatWasWrittenIsNoLongerWhatItWas) {
  odd_.call = [](Values& inputs, Values& outputs) {
    inputs[0].toTensor().add_(1);
    ThrowNoRoom(inputs, outputs);
  };
  const auto compiled = Compile();
  CallAndFail(*compiled);
  EXPECT_THAT(
      warnings_,
      ElementsAre(Folder() + "/repro.py: what was compiled has written into x, which the graph does not: the "
                             "repro has the numbers from after the call"));
}

TEST_F(SessionWarningsTest, ManyFailuresAreNotMadeSmallerAllAtOnce) {
  settings_.minify_now = true;
  settings_.program = "true";
  int failures = 0;
  odd_.call = [&](Values&, Values&) {
    throw std::runtime_error(std::string("no room for ") + "abcdefgh"[failures++]);
  };
  const auto compiled = Compile();
  for (int i = 0; i < 4; ++i) CallAndFail(*compiled);
  EXPECT_THAT(warnings_, testing::IsEmpty());
  for (int i = 0; i < 2; ++i) CallAndFail(*compiled);
  EXPECT_THAT(warnings_, ElementsAre("4 failures are being made smaller: no more are"));
}

TEST_F(SessionWarningsTest, WhatHasNoNumbersCannotBeWritten) {
  settings_.repro_level = 3;
  const auto compiled = Compile();
  odd_.call = ThrowNoRoom;
  inputs_ = {at::empty({2}, at::device(at::kMeta))};
  CallAndFail(*compiled);
  EXPECT_THAT(warnings_, ElementsAre(StartsWith("net_0_inference is not on disk while it runs: "),
                                     StartsWith("no repro of net_0_inference was written: ")));
}

TEST_F(SessionWarningsTest, ACallWhoseInputsCannotBeCopiedIsNotWatched) {
  graph_ = tests::ShortGraph("x\nadd = add_.Scalar(x, 1)\nreturn ()\n");
  graph_.set_name("net_0_inference");
  const auto compiled = Compile();
  inputs_ = {at::_nested_from_padded(at::ones({2, 2, 3}), at::ones({2, 2}, at::kLong))};
  Values inputs = inputs_;
  try {
    compiled->Call(inputs);
  } catch (const std::exception&) {
    // Whether libtorch can do it is another matter.
  }
  EXPECT_THAT(warnings_, ElementsAre(StartsWith("a call of net_0_inference is not watched: ")));
}

}  // namespace
}  // namespace culprit::watch
