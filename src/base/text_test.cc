// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

#include <array>

namespace culprit::base {
namespace {

TEST(NearestName, FindsSwappedLetters) {
  constexpr std::array<std::string_view, 3> kNames = {"aten::real", "aten::relu", "aten::sum"};
  EXPECT_EQ(NearestName("aten::reul", kNames), "aten::relu");
}

TEST(NearestName, IsSilentWhenNothingIsNear) {
  constexpr std::array<std::string_view, 2> kNames = {"convolution", "batch_norm"};
  EXPECT_EQ(NearestName("sin", kNames), "");
  EXPECT_EQ(DidYouMean("sin", kNames), "");
}

TEST(NearestName, IgnoresAbsurdlyLongNames) {
  const std::string name(100000, 'a');
  const std::array<std::string_view, 1> names = {name};
  EXPECT_EQ(NearestName(name, names), "");
}

TEST(Printable, ShowsControlCharactersAsHex) {
  EXPECT_EQ(Printable("a\x1b[0m\tb\xff"), "a\\x1b[0m b\\xff");
}

TEST(Printable, ShowsUtf8AsItIs) {
  EXPECT_EQ(Printable("größe 漢 🙂"), "größe 漢 🙂");
}

TEST(Printable, ShowsWhatCouldFoolAReaderAsHex) {
  EXPECT_EQ(Printable("a\u202eb\u2066\u0085"), "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6\\xc2\\x85");
}

TEST(Printable, ShowsWhatNobodyWouldSeeAsHex) {
  EXPECT_EQ(Printable("a\u061cb\u200bc\ufeffd"), "a\\xd8\\x9cb\\xe2\\x80\\x8bc\\xef\\xbb\\xbfd");
}

TEST(Shortened, KeepsTheBeginningOfALongText) {
  EXPECT_EQ(Shortened(std::string(60, 'a')), std::string(60, 'a'));
  EXPECT_EQ(Shortened(std::string(61, 'a')), std::string(60, 'a') + "...");
}

TEST(PrintableText, KeepsLineBreaks) {
  EXPECT_EQ(PrintableText("a\x1b[2J\nb\r\n"), "a\\x1b[2J\nb\\x0d\n");
  EXPECT_EQ(PrintableText(""), "");
}

TEST(PrintableText, CutsLinesThatNobodyReads) {
  EXPECT_EQ(PrintableText(std::string(2000, 'a')), std::string(2000, 'a'));
  EXPECT_EQ(PrintableText(std::string(2005, 'a') + "\nb"), std::string(2000, 'a') + "... (5 more bytes)\nb");
}

TEST(Counted, KnowsThePlural) {
  EXPECT_EQ(Counted(1, "operator"), "1 operator");
  EXPECT_EQ(Counted(0, "operator"), "0 operators");
}

TEST(ToHex, GivesTwoDigitsPerByte) {
  const std::string bytes("\x00\x0f\xa5\xff", 4);
  EXPECT_EQ(ToHex(std::as_bytes(std::span(bytes))), "000fa5ff");
}

TEST(HumanBytes, PicksTheUnit) {
  EXPECT_EQ(HumanBytes(512), "512 B");
  EXPECT_EQ(HumanBytes(1536), "1.5 KiB");
  EXPECT_EQ(HumanBytes(uint64_t{2} << 30), "2.0 GiB");
}

}  // namespace
}  // namespace culprit::base
