// SPDX-License-Identifier: Apache-2.0
#include "autograd/functional/functional_writer.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "tests/lib/functional_text.h"

namespace culprit::autograd {
namespace {

using tests::FunctionalText;

class FunctionalWriterTest : public testing::Test {
 protected:
  const at::Tensor matrix_ = at::ones({3, 4});
  const at::Tensor square_ = at::ones({3, 3});
  const at::Tensor row_ = at::ones({4});
  const at::Tensor double_row_ = at::ones({4}, at::kDouble);
  const at::Tensor images_ = at::ones({2, 4, 3, 3});
};

TEST_F(FunctionalWriterTest, WhatWritesNothingStaysAsItIs) {
  EXPECT_EQ(FunctionalText("x, y\n"
                           "sum = add.Tensor(x, y)\n"
                           "return (sum, x)",
                           {matrix_, row_}),
            "add = add.Tensor(x, y)\n"
            "return (add, x)\n");
}

TEST_F(FunctionalWriterTest, AnInPlaceOperatorReturnsWhatItWouldWrite) {
  EXPECT_EQ(FunctionalText("x, y\n"
                           "a = add_.Tensor(x, y)\n"
                           "b = neg.default(x)\n"
                           "return (a, b)",
                           {matrix_, row_}),
            "add = add.Tensor(x, y)\n"
            "neg = neg.default(add)\n"
            "return (add, neg, add)\n");
}

TEST_F(FunctionalWriterTest, AResultOfAnotherDtypeIsCast) {
  EXPECT_EQ(FunctionalText("x, y\n"
                           "a = add_.Tensor(x, y)\n"
                           "return (a,)",
                           {row_, double_row_}),
            "add = add.Tensor(x, y)\n"
            "_to_copy = _to_copy.default(add, dtype=torch.float32)\n"
            "return (_to_copy, _to_copy)\n");
}

TEST_F(FunctionalWriterTest, AnOutArgumentBecomesTheResult) {
  EXPECT_EQ(FunctionalText("x, y, o\n"
                           "z = mm.out(x, y, out=o)\n"
                           "return (z,)",
                           {square_, square_.clone(), square_.clone()}),
            "mm = mm.default(x, y)\n"
            "return (mm, mm)\n");
}

TEST_F(FunctionalWriterTest, AnOutArgumentThatIsReadTooIsRefusedUnlessElementsAreReadFirst) {
  EXPECT_EQ(FunctionalText("x, y\nz = mm.out(x, y, out=x)\nreturn (z,)", {square_, square_.clone()}),
            "untraceable: aten::mm.out reads what it writes");
  EXPECT_EQ(FunctionalText("x, y\nz = add.out(x, y, out=x)\nreturn (z,)", {square_, square_.clone()}),
            "add = add.Tensor(x, y)\n"
            "return (add, add)\n");
}

TEST_F(FunctionalWriterTest, SeveralOutArgumentsBecomeTheResultsInOrder) {
  EXPECT_EQ(FunctionalText("x, v, i\n"
                           "a, b = max.dim_max(x, 1, max=v, max_values=i)\n"
                           "return ()",
                           {matrix_, at::ones({3}), at::ones({3}, at::kLong)}),
            "max_1, max_2 = max.dim(x, 1)\n"
            "return (max_1, max_2)\n");
}

TEST_F(FunctionalWriterTest, AnOutArgumentOfAnotherDtypeIsRefusedSinceSumsAreComputedInIt) {
  EXPECT_EQ(FunctionalText("x, y\n"
                           "z = sum.IntList_out(x, [0], out=y)\n"
                           "return (z,)",
                           {matrix_, double_row_}),
            "untraceable: the result of aten::sum.IntList_out goes to a tensor of another dtype");
}

TEST_F(FunctionalWriterTest, AnOutArgumentThatIsResizedIsRefused) {
  EXPECT_EQ(FunctionalText("x, y\n"
                           "z = neg.out(x, out=y)\n"
                           "return (z,)",
                           {matrix_, at::ones({0})}),
            "untraceable: a result resizes the tensor that it goes to");
}

TEST_F(FunctionalWriterTest, ListsAreWrittenElementByElement) {
  EXPECT_EQ(FunctionalText("x, y\n"
                           "z = _foreach_add_.Scalar([x, y], 1)\n"
                           "return ()",
                           {matrix_, row_}),
            "_foreach_add = _foreach_add.Scalar([x, y], 1)\n"
            "getitem = _foreach_add[0]\n"
            "getitem_1 = _foreach_add[1]\n"
            "return (getitem, getitem_1)\n");
}

TEST_F(FunctionalWriterTest, ListsMayBeReadWhereTheyAreWritten) {
  EXPECT_EQ(FunctionalText("x, y\n"
                           "z = _foreach_mul_.List([x, y], [x, y])\n"
                           "return ()",
                           {matrix_, row_}),
            "_foreach_mul = _foreach_mul.List([x, y], [x, y])\n"
            "getitem = _foreach_mul[0]\n"
            "getitem_1 = _foreach_mul[1]\n"
            "return (getitem, getitem_1)\n");
}

// One tensor after the other is written, so that later ones see it.
TEST_F(FunctionalWriterTest, WhatAListWritesAndReadsInTwoPlacesIsRefused) {
  for (const char* call : {"_foreach_add_.Scalar([x, x], 1)", "_foreach_add_.List([x, y], [y, x])",
                           "_foreach_mul_.Tensor([x, y], y)"}) {
    EXPECT_EQ(FunctionalText(std::string("x, y\nz = ") + call + "\nreturn ()", {square_, at::ones({})}),
              std::string("untraceable: aten::") + std::string(call).substr(0, std::string(call).find('(')) +
                  " reads what it writes");
  }
}

TEST_F(FunctionalWriterTest, ACopyIsATensorOfItsOwn) {
  EXPECT_EQ(FunctionalText("x, y\n"
                           "z = copy_.default(x, y)\n"
                           "return ()",
                           {row_, row_.clone()}),
            "clone = clone.default(y)\n"
            "return (clone,)\n");
}

TEST_F(FunctionalWriterTest, ACopyIsExpandedAndCast) {
  EXPECT_EQ(FunctionalText("x, y\n"
                           "z = copy_.default(x, y)\n"
                           "return ()",
                           {matrix_, double_row_}),
            "expand = expand.default(y, [3, 4])\n"
            "_to_copy = _to_copy.default(expand, dtype=torch.float32)\n"
            "return (_to_copy,)\n");
}

TEST_F(FunctionalWriterTest, ACopyLiesAsItsTargetDoes) {
  EXPECT_EQ(FunctionalText("x, y\n"
                           "z = copy_.default(x, y)\n"
                           "return ()",
                           {matrix_, at::ones({4, 3}).t()}),
            "clone = clone.default(y)\n"
            "as_strided_scatter = as_strided_scatter.default(x, clone, [3, 4], [4, 1])\n"
            "return (as_strided_scatter,)\n");
}

TEST_F(FunctionalWriterTest, ATensorThatIsTransposedInPlaceIsAView) {
  EXPECT_EQ(FunctionalText("x\n"
                           "y = clone.default(x)\n"
                           "z = t_.default(y)\n"
                           "w = add.Tensor(y, 1)\n"
                           "return (w, z)",
                           {matrix_}),
            "clone = clone.default(x)\n"
            "t = t.default(clone)\n"
            "add = add.Tensor(t, 1)\n"
            "return (add, t)\n");
}

TEST_F(FunctionalWriterTest, BatchNormWritesItsStatisticsIntoCopies) {
  EXPECT_EQ(FunctionalText("x, m, v\n"
                           "y, a, b = native_batch_norm.default(x, None, None, m, v, True, 0.1, 0.5)\n"
                           "return (y,)",
                           {images_, row_, row_.clone()}),
            "clone = clone.default(m)\n"
            "clone_1 = clone.default(v)\n"
            "native_batch_norm, native_batch_norm_1, native_batch_norm_2 = "
            "native_batch_norm.default(x, None, None, clone, clone_1, True, 0.1, 0.5)\n"
            "return (native_batch_norm, clone, clone_1)\n");
}

TEST_F(FunctionalWriterTest, BatchNormWritesNothingInEvaluation) {
  EXPECT_EQ(FunctionalText("x, m, v\n"
                           "y, a, b = native_batch_norm.default(x, None, None, m, v, False, 0.1, 0.5)\n"
                           "return (y,)",
                           {images_, row_, row_.clone()}),
            "native_batch_norm, native_batch_norm_1, native_batch_norm_2 = "
            "native_batch_norm.default(x, None, None, m, v, False, 0.1, 0.5)\n"
            "return (native_batch_norm,)\n");
}

TEST_F(FunctionalWriterTest, WhatHasNoFunctionalVariantWritesIntoACopy) {
  EXPECT_EQ(FunctionalText("x\n"
                           "y = linspace.out(0, 1, 4, out=x)\n"
                           "z = neg.default(x)\n"
                           "return (z,)",
                           {row_}),
            "clone = clone.default(x)\n"
            "linspace = linspace.out(0, 1, 4, out=clone)\n"
            "neg = neg.default(linspace)\n"
            "return (neg, linspace)\n");
}

TEST_F(FunctionalWriterTest, RandomNumbersAreDrawnInTheOrderOfTheProgram) {
  EXPECT_EQ(FunctionalText("x\n"
                           "a = bernoulli_.float(x, 0.5)\n"
                           "b = normal_.default(x)\n"
                           "c = uniform_.default(x)\n"
                           "return ()",
                           {matrix_}),
            "bernoulli = bernoulli.p(x, 0.5)\n"
            "normal_functional = normal_functional.default(bernoulli)\n"
            "uniform = uniform.default(normal_functional)\n"
            "return (uniform,)\n");
}

TEST_F(FunctionalWriterTest, RandomNumbersForATensorWithGapsAreRefused) {
  EXPECT_EQ(FunctionalText("x\n"
                           "y = slice.Tensor(x, 1, 0, 4, 2)\n"
                           "z = normal_.default(y)\n"
                           "return ()",
                           {matrix_}),
            "untraceable: random numbers go to a tensor with gaps in memory");
}

TEST_F(FunctionalWriterTest, CompositeOperatorsAreWhatTheyAreMadeOf) {
  EXPECT_EQ(FunctionalText("x\n"
                           "y = dropout_.default(x, 0.5, True)\n"
                           "return (y,)",
                           {matrix_}),
            "empty_like = empty_like.default(x)\n"
            "bernoulli = bernoulli.p(empty_like, 0.5)\n"
            "div = div.Scalar(bernoulli, 0.5)\n"
            "mul = mul.Tensor(x, div)\n"
            "return (mul, mul)\n");
}

TEST_F(FunctionalWriterTest, AProductThatGoesToATransposedTensorIsComputedThere) {
  const char* text = "x, y\nz = addmm_.default(x, y, y)\nreturn ()";
  EXPECT_EQ(FunctionalText(text, {square_, square_.clone()}),
            "addmm = addmm.default(x, y, y)\n"
            "return (addmm,)\n");
  EXPECT_EQ(FunctionalText(text, {square_.clone().t(), square_.clone()}),
            "clone = clone.default(x)\n"
            "addmm_ = addmm_.default(clone, y, y)\n"
            "return (addmm_,)\n");
}

TEST_F(FunctionalWriterTest, AsStridedOfWhatLaysElsewhereBeforeAWriteIsRefused) {
  const char* text = "x\ny = mul_.Tensor(x, 2)\nv = as_strided.default(x, [2], [1], 3)\nreturn (v,)";
  EXPECT_EQ(FunctionalText(text, {at::ones({12}).slice(0, 2, 8)}),
            "untraceable: aten::as_strided counts from another beginning after a write");
  EXPECT_EQ(FunctionalText(text, {at::ones({12}).slice(0, 0, 8)}),
            "mul = mul.Tensor(x, 2)\n"
            "as_strided = as_strided.default(mul, [2], [1], 3)\n"
            "return (as_strided, mul)\n");
}

TEST_F(FunctionalWriterTest, DetachingInPlaceLeavesNoTrace) {
  EXPECT_EQ(FunctionalText("x\ny = detach_.default(x)\nreturn (y,)", {matrix_}), "return (x,)\n");
}

TEST_F(FunctionalWriterTest, OperatorsThatChangeWhatATensorIsAreRefused) {
  EXPECT_EQ(FunctionalText("x\ny = resize_.default(x, [2])\nreturn (y,)", {matrix_}),
            "untraceable: aten::resize_ changes what a tensor is");
}

}  // namespace
}  // namespace culprit::autograd
