// SPDX-License-Identifier: Apache-2.0
#include "graph/text/syntax/source.h"

#include <gtest/gtest.h>

#include <chrono>

namespace culprit::graph::text {
namespace {

TEST(Source, LinesAndColumnsCountFromOne) {
  const Source source("f", "ab\n\ncd");
  EXPECT_EQ(source.PlaceAt(1).line, 1u);
  EXPECT_EQ(source.PlaceAt(1).column, 2u);
  EXPECT_EQ(source.PlaceAt(3).line, 2u);
  EXPECT_EQ(source.PlaceAt(3).column, 1u);
  EXPECT_EQ(source.PlaceAt(100).line, 3u);
  EXPECT_EQ(source.PlaceAt(100).column, 3u);
}

TEST(Source, ColumnsAreCharacters) {
  EXPECT_EQ(Source("f", "größe!").PlaceAt(7).column, 6u);
}

TEST(Source, ErrorsShowTheirLine) {
  const Source source("f", "ab\ncd\nef");
  EXPECT_EQ(source.Error(3, "bad").source_line, "cd");
  EXPECT_EQ(source.Error(2, "bad").source_line, "ab");
  EXPECT_EQ(source.Error(100, "bad").source_line, "ef");
}

// Counting from the start of the text for each place would take minutes.
TEST(Source, ManyPlacesInALongText) {
  std::string text;
  for (int i = 0; i < 500000; ++i) text += "a line of a long text\n";
  const Source source("f", text);
  const auto begin = std::chrono::steady_clock::now();
  for (size_t offset = 0; offset < text.size(); offset += 50) {
    ASSERT_EQ(source.LineAt(offset), offset / 22 + 1);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

}  // namespace
}  // namespace culprit::graph::text
