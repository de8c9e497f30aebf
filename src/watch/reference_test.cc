// SPDX-License-Identifier: Apache-2.0
//
// A program that is not the graph: the graph is what is written down, and the program what is compared with.
#include "watch/reference.h"

#include <culprit/errors.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/watched_graph.h"

namespace culprit::watch {
namespace {

using backend::Values;
using testing::IsEmpty;
using testing::SizeIs;

/// Sines, and one more.
class SineAndOne : public backend::Compiled {
 public:
  Values Call(Values& inputs) override { return {inputs[0].toTensor().sin().add(1)}; }
};

class OriginalProgramTest : public tests::WatchedGraphTest {
 protected:
  std::unique_ptr<backend::Compiled> CompileOriginal() {
    settings_.repro_after = "capture";
    MakeSession();
    return Watch(std::make_unique<tests::OddBackend>(odd_), Point::kCapture, session_,
                 std::make_shared<SineAndOne>())
        ->Compile(graph_, inputs_);
  }

  static void AddOne(Values&, Values& outputs) { outputs[0] = outputs[0].toTensor().add(1); }
};

TEST_F(OriginalProgramTest, IsWhatTheCompiledGraphIsComparedWith) {
  settings_.repro_level = 4;
  odd_.call = AddOne;
  const auto compiled = CompileOriginal();
  EXPECT_TRUE(Call(*compiled)[0].toTensor().equal(tests::Numbers().sin().add(1)));
  EXPECT_THAT(Repros(), IsEmpty());
  // What the graph says is wrong.
  odd_.call = [](Values&, Values&) {};
  EXPECT_THROW(Call(*compiled), AccuracyError);
  EXPECT_THROW(CompileOriginal(), AccuracyError);
  ASSERT_THAT(Repros(), SizeIs(2));
  EXPECT_EQ(Repros()[0].script.graph.nodes().size(), 1U);
}

TEST_F(OriginalProgramTest, RunsWhereTheCompilerFails) {
  settings_.suppress_errors = true;
  odd_.compile = [](graph::Graph&, const Values&) { throw std::runtime_error("cannot compile"); };
  EXPECT_TRUE(Call(*CompileOriginal())[0].toTensor().equal(tests::Numbers().sin().add(1)));
}

TEST_F(OriginalProgramTest, OfACompilerThatDrawsItsOwnNumbersOnlyWhetherItRunsCounts) {
  settings_.repro_level = 4;
  graph_ = tests::ShortGraph("x\nbernoulli = bernoulli.default(x)\nreturn (bernoulli,)\n");
  inputs_ = {tests::Numbers().div(5)};
  odd_.draws_as_eager = false;
  // Nothing but this graph was compiled.
  odd_.compile = [](graph::Graph& graph, const Values&) { EXPECT_EQ(graph.placeholders().size(), 1U); };
  EXPECT_NO_THROW(Call(*CompileOriginal()));
  odd_.call = [](Values&, Values&) { throw std::runtime_error("cannot run"); };
  EXPECT_THROW(Call(*CompileOriginal()), std::runtime_error);
}

}  // namespace
}  // namespace culprit::watch
