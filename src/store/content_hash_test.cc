// SPDX-License-Identifier: Apache-2.0
#include "store/content_hash.h"

#include <gtest/gtest.h>

namespace culprit::store {
namespace {

std::string HashOf(std::string_view text) {
  return ContentHash::Of(std::as_bytes(std::span(text))).ToString();
}

// The values that `xxh128sum` prints.
TEST(ContentHashTest, IsXxh128InCanonicalOrder) {
  EXPECT_EQ(HashOf(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(HashOf("a"), "a96faf705af16834e6c632b61e964e1f");
}

TEST(ContentHashTest, TextAndBack) {
  const std::string text = HashOf("contents");
  EXPECT_EQ(ContentHash::FromString(text)->ToString(), text);
  EXPECT_NE(HashOf("Contents"), text);
}

TEST(ContentHashTest, HasOneSpelling) {
  const std::string text(32, 'a');
  EXPECT_TRUE(ContentHash::FromString(text));
  EXPECT_FALSE(ContentHash::FromString(text.substr(1)));
  EXPECT_FALSE(ContentHash::FromString(text + "a"));
  EXPECT_FALSE(ContentHash::FromString("A" + text.substr(1)));
  EXPECT_FALSE(ContentHash::FromString("../" + text.substr(3)));
}

}  // namespace
}  // namespace culprit::store
