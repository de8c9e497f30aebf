// SPDX-License-Identifier: Apache-2.0
#include "store/sha1.h"

#include <gtest/gtest.h>

#include <vector>

namespace culprit::store {
namespace {

std::string Sha1Of(std::string_view text) {
  return Sha1(std::as_bytes(std::span(text)));
}

TEST(Sha1Test, PublishedExamples) {
  EXPECT_EQ(Sha1Of(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(Sha1Of("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(Sha1Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(Sha1Of(std::string(1000000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

// What PyTorch's content store calls float32 zeros of sizes (3, 4), int32 ones of the same, and float32 twos
// of sizes (3, 4, 5, 6).
TEST(Sha1Test, ContentsOfPyTorchsOwnTests) {
  const std::vector<float> zeros(12, 0);
  EXPECT_EQ(Sha1(std::as_bytes(std::span(zeros))), "c17fd92682ca5b304ac71074b558dda9e8eb4d66");
  const std::vector<int> ones(12, 1);
  EXPECT_EQ(Sha1(std::as_bytes(std::span(ones))), "7c221e2da0c58c700cc2996644dd13d042bd552e");
  const std::vector<float> twos(360, 2);
  EXPECT_EQ(Sha1(std::as_bytes(std::span(twos))), "49ebab3961d6221e64c4c72b0aefd976bdd2afc4");
}

}  // namespace
}  // namespace culprit::store
