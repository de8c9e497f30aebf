// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/bind.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::Written;

std::string Text(const Graph& graph, const Argument& argument) {
  if (argument.is_value()) return graph.value(argument.value()).name;
  std::ostringstream text;
  if (argument.is_list()) {
    for (const Argument& element : argument.list()) {
      text << (text.tellp() == 0 ? "[" : ", ") << Text(graph, element);
    }
    return argument.list().empty() ? "[]" : text.str() + "]";
  }
  text << argument.constant();
  return text.str();
}

/// Binds calls over the placeholders x, w (tensors), n (int), f (float), l (list of tensors), s (list of
/// ints), g (generator).
class BindTest : public testing::Test {
 protected:
  ValueId Placeholder(const char* name, ValueKind kind) {
    return graph_.AddPlaceholder(name, PlaceholderKind::kInput, kind);
  }

  /// The bound arguments as text, or the error.
  std::string Bind(const char* op, std::initializer_list<Written> positional,
                   std::initializer_list<std::pair<const char*, Written>> keyword = {}) {
    WrittenArguments written{Written::AsList(positional), {}};
    for (const auto& [name, value] : keyword) written.keyword.emplace_back(name, value.argument);
    failed_at_.reset();
    const auto bound = BindArguments(graph_, Operator::Get(op), std::move(written), &failed_at_);
    if (!bound.ok()) return bound.error().Render();
    std::string text;
    for (const Argument& argument : *bound) text += (text.empty() ? "" : ", ") + Text(graph_, argument);
    return text;
  }

  Graph graph_;
  const ValueId x_ = Placeholder("x", ValueKind::kTensor);
  const ValueId w_ = Placeholder("w", ValueKind::kTensor);
  const ValueId n_ = Placeholder("n", ValueKind::kInt);
  const ValueId f_ = Placeholder("f", ValueKind::kFloat);
  const ValueId l_ = Placeholder("l", ValueKind::kTensorList);
  const ValueId s_ = Placeholder("s", ValueKind::kIntList);
  const ValueId g_ = Placeholder("g", ValueKind::kGenerator);
  std::optional<size_t> failed_at_;
};

TEST_F(BindTest, FillsInDefaultsAndRepeatsSingleElements) {
  EXPECT_EQ(Bind("aten::conv2d", {x_, w_}, {{"stride", 2}}), "x, w, None, [2, 2], [0, 0], [1, 1], 1");
  EXPECT_EQ(Bind("aten::conv2d", {x_, w_, nullptr, n_}), "x, w, None, [n, n], [0, 0], [1, 1], 1");
}

TEST_F(BindTest, KeywordsMayStandInAnyOrder) {
  EXPECT_EQ(Bind("aten::add.Tensor", {}, {{"alpha", 3}, {"other", w_}, {"self", x_}}), "x, w, 3");
}

TEST_F(BindTest, AnIntInAFloatSlotBecomesAFloat) {
  EXPECT_EQ(Bind("aten::dropout", {x_, 1, true}), "x, 1., True");
  EXPECT_EQ(Bind("aten::upsample_nearest1d.vec", {x_, nullptr, {2}}), "x, None, [2.]");
}

TEST_F(BindTest, NumbersInTensorAndScalarSlotsKeepTheirType) {
  EXPECT_EQ(Bind("aten::add.Tensor", {x_, 2}, {{"alpha", 2.0}}), "x, 2, 2.");
  EXPECT_EQ(Bind("aten::add.Tensor", {x_, true}, {{"alpha", false}}), "x, True, False");
}

TEST_F(BindTest, ValuesFitWhatTheirKindAllows) {
  EXPECT_EQ(Bind("aten::add.Tensor", {n_, f_}, {{"alpha", n_}}), "n, f, n");
  EXPECT_EQ(Bind("aten::dropout", {x_, n_, true}), "x, n, True");
  EXPECT_EQ(Bind("aten::cat", {l_, n_}), "l, n");
  EXPECT_EQ(Bind("aten::view", {x_, s_}), "x, s");
  EXPECT_EQ(Bind("aten::view", {x_, {n_, -1}}), "x, [n, -1]");
  EXPECT_EQ(Bind("aten::bernoulli", {x_}, {{"generator", g_}}), "x, g");
  EXPECT_EQ(Bind("aten::index.Tensor", {x_, {nullptr, w_}}), "x, [None, w]");
}

TEST_F(BindTest, ValuesOfAnotherKindAreRefusedByName) {
  EXPECT_EQ(Bind("aten::relu", {l_}),
            "error: argument 'self' of aten::relu must be Tensor, not 'l', which is of kind Tensor[]");
  EXPECT_EQ(Bind("aten::softmax.int", {x_, x_}),
            "error: argument 'dim' of aten::softmax.int must be int, not 'x', which is of kind Tensor");
  EXPECT_EQ(Bind("aten::view", {x_, f_}),
            "error: argument 'size' of aten::view must be int[], not 'f', which is of kind float");
  EXPECT_EQ(Bind("aten::cat", {s_}),
            "error: argument 'tensors' of aten::cat must be Tensor[], not 's', which is of kind int[]");
  EXPECT_EQ(failed_at_, 0);
}

TEST_F(BindTest, ConstantsOfAnotherTypeAreShown) {
  EXPECT_EQ(Bind("aten::softmax.int", {x_, 1.5}),
            "error: argument 'dim' of aten::softmax.int must be int, not 1.5");
  EXPECT_EQ(failed_at_, 1);
  EXPECT_EQ(Bind("aten::softmax.int", {x_, true}),
            "error: argument 'dim' of aten::softmax.int must be int, not True");
  EXPECT_EQ(Bind("aten::softmax.int", {x_, nullptr}),
            "error: argument 'dim' of aten::softmax.int must be int, not None");
  EXPECT_EQ(Bind("aten::softmax.int", {x_, "rows"}),
            "error: argument 'dim' of aten::softmax.int must be int, not a string");
  EXPECT_EQ(Bind("aten::softmax.int", {x_, {1, 2}}),
            "error: argument 'dim' of aten::softmax.int must be int, not a list");
  EXPECT_EQ(Bind("aten::dropout", {x_, 0.5, 1}),
            "error: argument 'train' of aten::dropout must be bool, not 1");
  EXPECT_EQ(Bind("aten::relu", {at::Device("cuda:1")}),
            "error: argument 'self' of aten::relu must be Tensor, not device cuda:1");
}

TEST_F(BindTest, ASingleElementIsNoListOfUnknownLength) {
  EXPECT_EQ(Bind("aten::view", {x_, 3}), "error: argument 'size' of aten::view must be int[], not 3");
}

TEST_F(BindTest, OneWrongElementSpoilsTheList) {
  EXPECT_EQ(Bind("aten::view", {x_, {1, 2.5}}),
            "error: argument 'size' of aten::view must be int[], not a list");
  EXPECT_EQ(Bind("aten::conv2d", {x_, w_, nullptr, 2.5}),
            "error: argument 'stride' of aten::conv2d must be int[2], not 2.5");
}

TEST_F(BindTest, UnsupportedSlotsTakeNothing) {
  EXPECT_EQ(Bind("aten::set_.source_Storage", {x_, 1}),
            "error: argument 'source' of aten::set_.source_Storage must be unsupported, not 1");
}

TEST_F(BindTest, TooManyPositionsBlameTheFirstSuperfluousOne) {
  EXPECT_EQ(Bind("aten::relu", {x_, w_, w_}),
            "error: aten::relu takes 1 positional argument, but 3 are given");
  EXPECT_EQ(failed_at_, 1);
  EXPECT_EQ(Bind("aten::add.Tensor", {x_, w_, 2}),
            "error: aten::add.Tensor takes 2 positional arguments, but 3 are given");
  EXPECT_EQ(failed_at_, 2);
}

TEST_F(BindTest, UnknownAndRepeatedKeywordsCountBehindThePositions) {
  EXPECT_EQ(Bind("aten::add.Tensor", {x_}, {{"other", w_}, {"alhpa", 2}}),
            "error: aten::add.Tensor has no argument 'alhpa', did you mean 'alpha'?");
  EXPECT_EQ(failed_at_, 2);
  EXPECT_EQ(Bind("aten::add.Tensor", {x_, w_}, {{"self", x_}}),
            "error: argument 'self' of aten::add.Tensor is given twice");
  EXPECT_EQ(failed_at_, 2);
}

TEST_F(BindTest, AMissingArgumentBlamesTheWholeCall) {
  EXPECT_EQ(Bind("aten::add.Tensor", {x_}),
            "error: argument 'other' of aten::add.Tensor is missing\n"
            "  note: its schema is aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  EXPECT_EQ(failed_at_, std::nullopt);
}

}  // namespace
}  // namespace culprit::graph
