// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/string_literal.h"

#include <gtest/gtest.h>

namespace culprit::graph::text {
namespace {

TEST(StringToText, EscapesWhatHasToBe) {
  EXPECT_EQ(StringToText("floor"), "'floor'");
  EXPECT_EQ(StringToText("it's\\"), "'it\\'s\\\\'");
  EXPECT_EQ(StringToText("a\nb\r\x7f"), "'a\\nb\\x0d\\x7f'");
  EXPECT_EQ(StringToText("caf\xc3\xa9"), "'caf\xc3\xa9'");
}

TEST(StringToText, BytesThatAreNoUtf8AreEscapedAsPythonDoes) {
  EXPECT_EQ(StringToText("\xff"), "'\\udcff'");
  EXPECT_EQ(StringToText("\xc3"), "'\\udcc3'");                        // cut off
  EXPECT_EQ(StringToText("\xed\xa0\x80"), "'\\udced\\udca0\\udc80'");  // a surrogate
  EXPECT_EQ(StringToText("\xc0\x80"), "'\\udcc0\\udc80'");             // longer than needed
}

TEST(StringFromText, ReadsBackEveryByte) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(StringFromText(StringToText(all)), all);
}

TEST(StringFromText, ReadsWhatPythonReads) {
  EXPECT_EQ(StringFromText("\"it's\""), "it's");
  EXPECT_EQ(StringFromText("'''a'b'''"), "a'b");
  EXPECT_EQ(StringFromText("''"), "");
  EXPECT_EQ(StringFromText("'\\t\\\"\\x41'"), "\t\"A");
  EXPECT_EQ(StringFromText("r'\\t'"), "\\t");
  EXPECT_EQ(StringFromText("b'\\x00'"), std::string(1, '\0'));
  EXPECT_EQ(StringFromText("'\\q'"), "\\q");
}

TEST(StringFromText, NumbersOfEscapesAreCodePointsInStringsAndBytesInBytes) {
  EXPECT_EQ(StringFromText("'\\xe9'"), "\xc3\xa9");
  EXPECT_EQ(StringFromText("b'\\xe9'"), "\xe9");
  EXPECT_EQ(StringFromText("'\\u00e9\\u20ac'"), "\xc3\xa9\xe2\x82\xac");
  EXPECT_EQ(StringFromText("'\\U0001f600'"), "\xf0\x9f\x98\x80");
  EXPECT_EQ(StringFromText("'\\101\\7z\\1018'"),
            "A\az"
            "A8");
}

TEST(StringFromText, MalformedOrFormattedIsNothing) {
  for (const char* text :
       {"", "'", "abc", "f'{x}'", "'\\xg0'", "'\\u12'", "'\\ud800'", "'\\U00110000'", "'\\N{DASH}'"})
    EXPECT_EQ(StringFromText(text), std::nullopt) << text;
}

}  // namespace
}  // namespace culprit::graph::text
