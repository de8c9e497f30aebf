// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::EachWith;
using tests::ExpectBothThrow;
using tests::ExpectSameWithoutFallback;

TEST(RearrangementKernels, Roll) {
  ExpectSameWithoutFallback(
      EachWith({"f32[2,3,4,5]", "f32[2,3,4,5]:cl:g", "f32[2,3,4,5]:t", "i64[2,3,4,5]:step"},
               {"torch.roll(a, [1], [2])", "torch.roll(a, [-1, 2], [1, 2])", "torch.roll(a, [7])",
                "torch.roll(a, [0], [0])", "torch.roll(a, [1, 0], [0, 1])"}));
  ExpectSameWithoutFallback(EachWith({"f32[0,3]", "f32[3,0]:t"}, {"torch.roll(a, [1], [0])"}));
  ExpectBothThrow(EachWith({"f32[2,3]"}, {"torch.roll(a, [1, 2], [0])", "torch.roll(a, [])"}));
}

TEST(RearrangementKernels, Flip) {
  ExpectSameWithoutFallback(
      EachWith({"f32[2,3,4,5]", "f32[2,3,4,5]:cl", "f32[2,3,4,5]:t", "bool[2,3,4,5]:step"},
               {"torch.flip(a, [1, 2])", "torch.flip(a, [])"}));
}

TEST(RearrangementKernels, ChannelShuffle) {
  ExpectSameWithoutFallback(EachWith({"f32[2,4,3,3]", "f32[2,4,3,3]:cl", "f32[2,4,3]"},
                                     {"torch.channel_shuffle(a, 2)", "torch.native_channel_shuffle(a, 2)"}));
  ExpectBothThrow(EachWith({"f32[2,4,3,3]"}, {"torch.channel_shuffle(a, 3)"}));
}

TEST(RearrangementKernels, PixelShuffles) {
  ExpectSameWithoutFallback(
      EachWith({"f32[2,4,6,6]", "f32[2,4,6,6]:cl:g", "f32[2,4,6,6]:t", "f32[4,6,6]", "i64[1,2,4,6,6]"},
               {"torch.pixel_shuffle(a, 2)", "torch.pixel_unshuffle(a, 3)"}));
  ExpectBothThrow(EachWith({"f32[2,4,6,6]"}, {"torch.pixel_shuffle(a, 3)", "torch.pixel_unshuffle(a, 4)"}));
}

TEST(RearrangementKernels, Sorts) {
  ExpectSameWithoutFallback(EachWith(
      {"f32[2,3,4,5]", "f32[2,3,4,5]:cl", "i64[2,3]:t", "f32[]"},
      {"torch.argsort(a, stable=True, dim=0)", "torch.argsort(a)", "torch.sort(a, 0)", "torch.topk(a, 1)"}));
}

TEST(RearrangementKernels, Triangles) {
  ExpectSameWithoutFallback({
      {{}, "torch.tril_indices(3, 4)"},
      {{}, "torch.tril_indices(3, 4, -1, dtype=3)"},
      {{}, "torch.triu_indices(3, 4, 1)"},
      {{}, "torch.triu_indices(0, 4, device='cpu')"},
  });
}

TEST(RearrangementKernels, UnfoldBackward) {
  ExpectSameWithoutFallback({{{"f32[3,2]"}, "torch.unfold_backward(a, [4], 0, 2, 1)"}});
}

}  // namespace
}  // namespace culprit::graph::fake
