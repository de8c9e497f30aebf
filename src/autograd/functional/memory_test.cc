// SPDX-License-Identifier: Apache-2.0
#include "autograd/functional/memory.h"

#include <ATen/ops/ones.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/functional_text.h"

namespace culprit::autograd {
namespace {

using tests::FunctionalText;

class MemoryTest : public testing::Test {
 protected:
  const at::Tensor matrix_ = at::ones({3, 4});
  const at::Tensor row_ = at::ones({4});
  const at::Tensor complex_ = at::ones({4}, at::kComplexFloat);
};

TEST_F(MemoryTest, AViewThatIsMadeBeforeAWriteIsMadeAgainBehindIt) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = t.default(x)\n"
                           "y = neg_.default(x)\n"
                           "return (v,)",
                           {matrix_}),
            "t = t.default(x)\n"
            "neg = neg.default(x)\n"
            "t_1 = t.default(neg)\n"
            "return (t_1, neg)\n");
}

TEST_F(MemoryTest, AViewOfAViewIsMadeAgainThroughItsParent) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = t.default(x)\n"
                           "w = select.int(v, 0, 1)\n"
                           "y = neg_.default(x)\n"
                           "return (w,)",
                           {matrix_}),
            "t = t.default(x)\n"
            "select = select.int(t, 0, 1)\n"
            "neg = neg.default(x)\n"
            "t_1 = t.default(neg)\n"
            "select_1 = select.int(t_1, 0, 1)\n"
            "return (select_1, neg)\n");
}

TEST_F(MemoryTest, AWriteIntoASelectionIsScattered) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = select.int(x, 0, 1)\n"
                           "y = add_.Tensor(v, 1)\n"
                           "return (v,)",
                           {matrix_}),
            "select = select.int(x, 0, 1)\n"
            "add = add.Tensor(select, 1)\n"
            "select_scatter = select_scatter.default(x, add, 0, 1)\n"
            "return (add, select_scatter)\n");
}

TEST_F(MemoryTest, AWriteIntoASliceIsScatteredAndTheSliceWithGapsIsMadeAgain) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = slice.Tensor(x, 1, 0, 4, 2)\n"
                           "y = add_.Tensor(v, 1)\n"
                           "return (v,)",
                           {matrix_}),
            "slice = slice.Tensor(x, 1, 0, 4, 2)\n"
            "add = add.Tensor(slice, 1)\n"
            "slice_scatter = slice_scatter.default(x, add, 1, 0, 4, 2)\n"
            "slice_1 = slice.Tensor(slice_scatter, 1, 0, 4, 2)\n"
            "return (slice_1, slice_scatter)\n");
}

TEST_F(MemoryTest, AWriteIntoADiagonalIsScattered) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = diagonal.default(x)\n"
                           "y = zero_.default(v)\n"
                           "return ()",
                           {matrix_}),
            "diagonal = diagonal.default(x)\n"
            "zero = zero.default(diagonal)\n"
            "diagonal_scatter = diagonal_scatter.default(x, zero)\n"
            "return (diagonal_scatter,)\n");
}

TEST_F(MemoryTest, AWriteIntoAViewOfAViewIsScatteredIntoOneAndThenTheOther) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = select.int(x, 0, 1)\n"
                           "w = slice.Tensor(v, 0, 1, 3)\n"
                           "y = add_.Tensor(w, 1)\n"
                           "return (v,)",
                           {matrix_}),
            "select = select.int(x, 0, 1)\n"
            "slice = slice.Tensor(select, 0, 1, 3)\n"
            "add = add.Tensor(slice, 1)\n"
            "slice_scatter = slice_scatter.default(select, add, 0, 1, 3)\n"
            "select_scatter = select_scatter.default(x, slice_scatter, 0, 1)\n"
            "select_1 = select.int(select_scatter, 0, 1)\n"
            "return (select_1, select_scatter)\n");
}

TEST_F(MemoryTest, AWriteIntoAPartOfATransposedTensorIsScatteredIntoThatAndTurnedBack) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = t.default(x)\n"
                           "w = slice.Tensor(v, 0, 1, 3)\n"
                           "y = add_.Tensor(w, 1)\n"
                           "return ()",
                           {matrix_}),
            "t = t.default(x)\n"
            "slice = slice.Tensor(t, 0, 1, 3)\n"
            "add = add.Tensor(slice, 1)\n"
            "slice_scatter = slice_scatter.default(t, add, 0, 1, 3)\n"
            "as_strided = as_strided.default(slice_scatter, [3, 4], [4, 1])\n"
            "return (as_strided,)\n");
}

TEST_F(MemoryTest, AWriteIntoAnyOtherStridedViewIsScatteredByStrides) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = as_strided.default(x, [2, 2], [4, 1], 1)\n"
                           "y = add_.Tensor(v, 1)\n"
                           "return ()",
                           {matrix_}),
            "as_strided = as_strided.default(x, [2, 2], [4, 1], 1)\n"
            "add = add.Tensor(as_strided, 1)\n"
            "clone = clone.default(x)\n"
            "as_strided_scatter = as_strided_scatter.default(clone, add, [2, 2], [4, 1], 1)\n"
            "return (as_strided_scatter,)\n");
}

TEST_F(MemoryTest, AWriteBesideAnInputIsRefused) {
  const std::string reason = "untraceable: memory is written that no tensor of the graph has";
  const auto write_at = [&](int64_t offset) {
    return FunctionalText(fmt::format("x\n"
                                      "v = as_strided.default(x, [2], [1], {})\n"
                                      "y = add_.Tensor(v, 1)\n"
                                      "return ()",
                                      offset),
                          {at::ones({12}).slice(0, 2, 8)});
  };
  EXPECT_EQ(write_at(1), reason);
  EXPECT_THAT(write_at(6), testing::HasSubstr("as_strided_scatter.default(clone, add, [2], [1], 4)"));
  EXPECT_EQ(write_at(7), reason);
}

TEST_F(MemoryTest, WhatIsMadeInTheGraphNeedsNoCopyForThat) {
  EXPECT_EQ(FunctionalText("x\n"
                           "e = exp.default(x)\n"
                           "v = as_strided.default(e, [2, 2], [4, 1], 1)\n"
                           "y = add_.Tensor(v, 1)\n"
                           "return (e,)",
                           {matrix_}),
            "exp = exp.default(x)\n"
            "as_strided = as_strided.default(exp, [2, 2], [4, 1], 1)\n"
            "add = add.Tensor(as_strided, 1)\n"
            "as_strided_scatter = as_strided_scatter.default(exp, add, [2, 2], [4, 1], 1)\n"
            "return (as_strided_scatter,)\n");
}

TEST_F(MemoryTest, AnElementOfAListIsScatteredByStrides) {
  EXPECT_EQ(FunctionalText("x\n"
                           "l = unbind.int(x)\n"
                           "y = torch.ops.aten.add_.Tensor(l[1], 1)\n"
                           "return ()",
                           {matrix_}),
            "unbind = unbind.int(x)\n"
            "getitem = unbind[0]\n"
            "getitem_1 = unbind[1]\n"
            "getitem_2 = unbind[2]\n"
            "add = add.Tensor(getitem_1, 1)\n"
            "clone = clone.default(x)\n"
            "as_strided_scatter = as_strided_scatter.default(clone, add, [4], [1], 4)\n"
            "return (as_strided_scatter,)\n");
}

TEST_F(MemoryTest, AnElementOfAListIsMadeAgainFromTheList) {
  EXPECT_EQ(FunctionalText("x\n"
                           "l = unbind.int(x)\n"
                           "y = neg_.default(x)\n"
                           "z = torch.ops.aten.exp.default(l[2])\n"
                           "return (z,)",
                           {matrix_}),
            "unbind = unbind.int(x)\n"
            "getitem = unbind[0]\n"
            "getitem_1 = unbind[1]\n"
            "getitem_2 = unbind[2]\n"
            "neg = neg.default(x)\n"
            "unbind_1 = unbind.int(neg)\n"
            "getitem_3 = unbind_1[0]\n"
            "getitem_4 = unbind_1[1]\n"
            "getitem_5 = unbind_1[2]\n"
            "exp = exp.default(getitem_5)\n"
            "return (exp, neg)\n");
}

TEST_F(MemoryTest, AViewThatCoversItsBaseReplacesIt) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = view.default(x, [-1])\n"
                           "y = add_.Tensor(v, 1)\n"
                           "return (v,)",
                           {matrix_}),
            "view = view.default(x, [-1])\n"
            "add = add.Tensor(view, 1)\n"
            "as_strided = as_strided.default(add, [3, 4], [4, 1])\n"
            "return (add, as_strided)\n");
}

TEST_F(MemoryTest, AConjugatedViewIsWrittenByItsConjugate) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = _conj.default(x)\n"
                           "y = zero_.default(v)\n"
                           "return (v,)",
                           {complex_}),
            "_conj = _conj.default(x)\n"
            "clone = clone.default(_conj)\n"
            "zero = zero.default(clone)\n"
            "clone_1 = clone.default(zero)\n"
            "conj_physical = conj_physical.default(clone_1)\n"
            "_conj_1 = _conj.default(conj_physical)\n"
            "return (_conj_1, conj_physical)\n");
}

TEST_F(MemoryTest, ComplexNumbersAreWrittenThroughTheirParts) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = view_as_real.default(x)\n"
                           "w = select.int(v, 1, 0)\n"
                           "y = add_.Tensor(w, 1)\n"
                           "return ()",
                           {complex_}),
            "view_as_real = view_as_real.default(x)\n"
            "select = select.int(view_as_real, 1, 0)\n"
            "add = add.Tensor(select, 1)\n"
            "select_scatter = select_scatter.default(view_as_real, add, 1, 0)\n"
            "view_as_complex = view_as_complex.default(select_scatter)\n"
            "return (view_as_complex,)\n");
}

TEST_F(MemoryTest, ANegatedViewIsWrittenByItsNegative) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = _neg_view.default(x)\n"
                           "y = zero_.default(v)\n"
                           "return ()",
                           {row_}),
            "_neg_view = _neg_view.default(x)\n"
            "clone = clone.default(_neg_view)\n"
            "zero = zero.default(clone)\n"
            "clone_1 = clone.default(zero)\n"
            "neg = neg.default(clone_1)\n"
            "return (neg,)\n");
}

TEST_F(MemoryTest, ATensorThatOperatorsMakeIsABaseToo) {
  EXPECT_EQ(FunctionalText("x\n"
                           "b = exp.default(x)\n"
                           "v = select.int(b, 0, 0)\n"
                           "y = zero_.default(v)\n"
                           "return (b,)",
                           {matrix_}),
            "exp = exp.default(x)\n"
            "select = select.int(exp, 0, 0)\n"
            "zero = zero.default(select)\n"
            "select_scatter = select_scatter.default(exp, zero, 0, 0)\n"
            "return (select_scatter,)\n");
}

TEST_F(MemoryTest, AnExpandedViewIsReadAgainButNotWritten) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = expand.default(x, [3, 4])\n"
                           "y = neg_.default(x)\n"
                           "return (v,)",
                           {row_}),
            "expand = expand.default(x, [3, 4])\n"
            "neg = neg.default(x)\n"
            "expand_1 = expand.default(neg, [3, 4])\n"
            "return (expand_1, neg)\n");
  EXPECT_EQ(FunctionalText("x\n"
                           "v = expand.default(x, [3, 4])\n"
                           "y = zero_.default(v)\n"
                           "return (v,)",
                           {row_}),
            "untraceable: elements that share their memory are written");
}

TEST_F(MemoryTest, ReadingMemoryThatIsWrittenElsewhereIsRefused) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = slice.Tensor(x, 0, 1, 3)\n"
                           "w = slice.Tensor(x, 0, 0, 2)\n"
                           "y = copy_.default(v, w)\n"
                           "return ()",
                           {matrix_}),
            "untraceable: aten::copy_ reads what it writes");
}

TEST_F(MemoryTest, MemoryThatInputsShareMayBeReadButNotWritten) {
  EXPECT_EQ(FunctionalText("x, y\nz = add.Tensor(x, y)\nreturn (z,)", {row_, row_.view({4, 1})}),
            "add = add.Tensor(x, y)\n"
            "return (add,)\n");
  EXPECT_EQ(FunctionalText("x, y\nz = zero_.default(x)\nreturn (z,)", {row_, row_.view({4, 1})}),
            "untraceable: memory that inputs share is written");
}

TEST_F(MemoryTest, AnInputWithGapsIsNotWrittenInParts) {
  EXPECT_EQ(FunctionalText("x\n"
                           "v = select.int(x, 0, 1)\n"
                           "y = zero_.default(v)\n"
                           "return ()",
                           {matrix_.slice(1, 0, 4, 2)}),
            "untraceable: a tensor with gaps in memory is written");
}

}  // namespace
}  // namespace culprit::autograd
