// SPDX-License-Identifier: Apache-2.0
#include "backend/failure/normalize_message.h"

#include <gtest/gtest.h>

#include <random>

namespace culprit::backend {
namespace {

TEST(NormalizeMessageTest, NumbersOfAllFormsAreAlike) {
  EXPECT_EQ(NormalizeMessage("1 -1 2.5 1e-05 -3.25E+7 1.13.1"), "N N N N N N");
  EXPECT_EQ(NormalizeMessage("a-1 (2)-3 x[4]-5"), "a-N (N)-N x[N]-N");
}

TEST(NormalizeMessageTest, NumbersWithUnitsKeepTheUnit) {
  EXPECT_EQ(NormalizeMessage("3D 2x3x4 10ms 1-dimensional"), "ND NxNxN Nms N-dimensional");
  EXPECT_EQ(NormalizeMessage("1st 2nd 3rd 4th"), "Nth Nth Nth Nth");
}

TEST(NormalizeMessageTest, WordsKeepTheirDigits) {
  EXPECT_EQ(NormalizeMessage("conv2d of float32, mat1, ExpBackward0"),
            "conv2d of float32, mat1, ExpBackward0");
}

TEST(NormalizeMessageTest, ListsOfNumbersAreAlike) {
  EXPECT_EQ(NormalizeMessage("[1, 2, 3] (4, 5) {6} [] [[1, 2], [3]]"), "[N] (N) {N} [N] [N]");
  EXPECT_EQ(NormalizeMessage("[*, 4] select() [x, 1] operator[]"), "[*, N] select() [x, N] operator[]");
}

TEST(NormalizeMessageTest, AddressesAndIdsAreLeftOut) {
  EXPECT_EQ(NormalizeMessage("at 0x7ffd12ab34cd, thread 140234"), "at ADDRESS, thread N");
  EXPECT_EQ(NormalizeMessage("kernel_123456_float, 7f3a9c2e"), "kernel_N_float, N");
}

TEST(NormalizeMessageTest, PathsAreLeftOutButNotTheNamesOfSources) {
  EXPECT_EQ(NormalizeMessage("cannot open /data/models/model.pt: no such file"),
            "cannot open PATH: no such file");
  EXPECT_EQ(NormalizeMessage("at ../aten/src/ATen/native/Foo.cpp:45."), "at Foo.cpp:N.");
  EXPECT_EQ(NormalizeMessage("at \"torch/csrc/jit/ir.h\":7"), "at \"ir.h\":N");
  EXPECT_EQ(NormalizeMessage("in /tmp/x/cabc.py, tmpx8f2k1z.so"), "in PATH, TEMP.so");
  EXPECT_EQ(NormalizeMessage("at /tmp/env/lib/site-packages/torch/include/ATen/core/ivalue.h:3"),
            "at ivalue.h:N");
  EXPECT_EQ(NormalizeMessage("input and/or output, 5 / 3, N/A"), "input and/or output, N / N, N/A");
  EXPECT_EQ(NormalizeMessage("see https://pytorch.org/docs/1.13/x.html#y for more"), "see URL for more");
}

TEST(NormalizeMessageTest, ValuesOfTensorsAreLeftOut) {
  EXPECT_EQ(NormalizeMessage("found invalid values:\ntensor([1., nan],\n       dtype=torch.float64)"),
            "found invalid values: tensor(...)");
  EXPECT_EQ(NormalizeMessage("value tensor(1.5) of tensor (3)"), "value tensor(...) of tensor (N)");
}

TEST(NormalizeMessageTest, BacktracesAreLeftOut) {
  EXPECT_EQ(
      NormalizeMessage("it broke\nException raised from f at a.cpp:3 (most recent call first):\nframe #0: x"),
      "it broke");
  EXPECT_EQ(NormalizeMessage("Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    g()\n"
                             "ValueError: bad 3\n"),
            "ValueError: bad N");
}

TEST(NormalizeMessageTest, TypesOfErrorsStayUnlessEveryErrorHasThem) {
  EXPECT_EQ(NormalizeMessage("builtins.ValueError: bad value 9"), "builtins.ValueError: bad value N");
  EXPECT_EQ(NormalizeMessage("builtins.RuntimeError: RuntimeError: bad"), "bad");
}

TEST(NormalizeMessageTest, LinesOfSourceThatLookLikeErrorsAreNone) {
  EXPECT_EQ(NormalizeMessage("The following operation failed in the TorchScript interpreter.\n"
                             "Traceback of TorchScript (most recent call last):\n"
                             "  File \"<string>\", line 3, in f\n"
                             "    g(x)\n    ~ <--- HERE\n    else: y\ndef h(x): pass\n"
                             "RuntimeError: first\nsecond\n"),
            "first");
}

TEST(NormalizeMessageTest, WhatHasNoEssenceKeepsItsFirstLine) {
  EXPECT_EQ(NormalizeMessage(""), "");
  EXPECT_EQ(NormalizeMessage("\n \n"), "");
  EXPECT_EQ(NormalizeMessage("Traceback (most recent call last):"), "Traceback (most recent call last):");
}

TEST(NormalizeMessageTest, TheResultIsShortAndPrintable) {
  EXPECT_EQ(NormalizeMessage("a\x1b[31mb\xff"), "a\\x1b[Nmb\\xff");
  EXPECT_EQ(NormalizeMessage(std::string(5000, 'a')).size(), kLongestMessage);
  const std::string umlauts =
      NormalizeMessage("x" + std::string(kLongestMessage, 'a').replace(398, 2, "\xc3\xa4"));
  EXPECT_EQ(umlauts.size(), kLongestMessage - 1);
}

TEST(NormalizeMessageTest, TwiceIsOnce) {
  constexpr std::string_view kPieces[] = {"1",         "-",        "+",
                                          "x",         "0x",       "[",
                                          "]",         "(",        ")",
                                          "{",         ",",        " ",
                                          "\n",        ":",        "/",
                                          ".",         "e",        "nd",
                                          "N",         "a",        "_",
                                          "#",         "\"",       "\\",
                                          "tensor(",   "tmp",      "https://",
                                          "Traceback", "é",        "\xff",
                                          "12345",     "cpp",      "Error",
                                          "D",         "~",        "*",
                                          ">=",        "tab\t",    "RuntimeError: ",
                                          "File \"",   "<--- HERE"};
  std::mt19937 generator(7);
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (size_t length = generator() % 12; length > 0; --length)
      text += kPieces[generator() % std::size(kPieces)];
    if (i % 50 == 0) text.append(380 + generator() % 40, 'z').append("tensor(1) [2, 3] 4.5");
    const std::string once = NormalizeMessage(text);
    ASSERT_EQ(NormalizeMessage(once), once) << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace culprit::backend
