// SPDX-License-Identifier: Apache-2.0
//
// Programs whose sizes are symbols: whatever strategies make of one, every size that it computes with is
// computed from something that it has, so that it runs, and is the same program when it is read from a file.
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "graph/tensors/torch_error.h"
#include "graph/text/script/script.h"
#include "tests/lib/minimize_with.h"
#include "tests/lib/volume.h"

namespace culprit::minify {
namespace {

using graph::PlaceholderKind;
using graph::ValueId;
using graph::ValueKind;
using tests::FakeCheck;
using tests::TestGraph;

/// The first half of the columns of [s0, 6, s1], through a matrix, times s2; sizes are read from an input and
/// from what is computed.
Program Sized() {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId w = g.Placeholder("w", PlaceholderKind::kParameter);
  const ValueId factor = g.Placeholder("s2", PlaceholderKind::kInput, ValueKind::kInt);
  g.graph().SetSymbols(0, {"s0", "", "s1"});
  g.graph().SetSymbols(2, {"s2"});
  const ValueId rows = g.Call("aten::sym_size.int", {x, 0});
  const ValueId columns = g.Call("aten::sym_size.int", {x, 2});
  const ValueId all = g.Call("python::mul.int", {rows, columns});
  const ValueId half = g.Call("python::floordiv.int", {columns, 2});
  const ValueId flat = g.Call("aten::reshape", {g.Call("aten::permute", {x, {0, 2, 1}}), {all, 6}});
  const ValueId product = g.Call("aten::mm", {g.Call("aten::sin", {flat}), w});
  const ValueId wide = g.Call("aten::sym_size.int", {product, 1});
  const ValueId viewed = g.Call("aten::view", {product, {rows, columns, wide}});
  const ValueId part = g.Call("aten::relu", {g.Call("aten::slice.Tensor", {viewed, 1, 0, half})});
  const ValueId more = g.Call("aten::add.Tensor", {part, g.Call("aten::full", {{rows, half, wide}, 0.5})});
  g.Return({g.Call("aten::tanh", {g.Call("aten::mul.Tensor", {more, factor})}), half});
  return {g.graph(), {at::randn({4, 6, 8}), at::randn({6, 4}), int64_t{3}}};
}

/// What stops the program in eager; nothing if it runs.
std::string ErrorOf(const Program& program) {
  try {
    graph::Interpreter(program.graph).Run(graph::CopyAll(program.inputs));
    return "";
  } catch (const std::exception& error) {
    return graph::TorchMessage(error);
  }
}

void ExpectSameFromText(const graph::Graph& graph) {
  const std::string text = *graph::text::PrintGraph(graph);
  const auto read = graph::text::ReadScript("net.py", text);
  ASSERT_TRUE(read.ok()) << read.error().Render();
  EXPECT_EQ(*graph::text::PrintGraph(read->graph), text);
}

class SizedProgramsTest : public testing::TestWithParam<std::string_view> {};

TEST_P(SizedProgramsTest, WhatAStrategyProposesRunsAndCanBeWritten) {
  for (int seed = 0; seed < tests::Volume(20, 400); ++seed) {
    const tests::AnswerFunction answer = tests::ByHash(seed, 40);
    FakeCheck check([&](const Program& program) -> Reply {
      ExpectSameFromText(program.graph);
      const std::string error = ErrorOf(program);
      if (error.empty()) return answer(program);
      // An operand has the shape of the result that it stands for, but not always its strides or its values.
      EXPECT_EQ(GetParam(), "bypass") << "seed " << seed << ": " << error;
      return {{Answer::kInvalid}};
    });
    tests::MinimizeWith({GetParam()}, Sized(), check, {.first = {{Answer::kSameFailure}, {0}}});
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, SizedProgramsTest, testing::ValuesIn([] {
                           std::vector<std::string_view> names;
                           for (const StrategyEntry& entry : strategies::AllStrategies())
                             names.push_back(entry.name);
                           return names;
                         }()),
                         [](const testing::TestParamInfo<std::string_view>& name) {
                           return std::string(name.param);
                         });

/// Fails as long as this operator is there, and runs.
FakeCheck FailsWith(const std::string& op) {
  return FakeCheck([op](const Program& program) -> Reply {
    if (!ErrorOf(program).empty()) return {{Answer::kInvalid}};
    const bool is_there = std::ranges::count(tests::OperatorsOf(program), op) > 0;
    return {{is_there ? Answer::kSameFailure : Answer::kPasses}, {0}};
  });
}

TEST(SizedProgramTest, OneOperatorIsLeftAndNoSizes) {
  FakeCheck check = FailsWith("relu");
  const SearchResult result = tests::MinimizeWithAll(Sized(), check);
  EXPECT_EQ(tests::OperatorsOf(result.program), std::vector<std::string>{"relu"});
  EXPECT_EQ(result.program.inputs.size(), 1);
}

TEST(SizedProgramTest, AnOperatorWithSizesAmongItsArgumentsKeepsWhatTheyAreComputedFromOrTheirNumbers) {
  FakeCheck check = FailsWith("view");
  const SearchResult result = tests::MinimizeWithAll(Sized(), check);
  EXPECT_EQ(ErrorOf(result.program), "");
  EXPECT_EQ(result.program.graph.nodes().back().op->name(), "aten::view");
  EXPECT_LE(result.program.graph.nodes().size(), 2);
}

}  // namespace
}  // namespace culprit::minify
