// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::EachWith;
using tests::ExpectBothThrow;
using tests::ExpectSameWithoutFallback;

TEST(ImageKernels, Pads) {
  ExpectSameWithoutFallback(
      EachWith({"f32[2,3,4,5]", "f32[2,3,4,5]:cl:g", "f32[2,3,4,5]:t"},
               {"torch.reflection_pad2d(a, [1, 2, 1, 0])", "torch.replication_pad2d(a, [1, 2, 1, 0])",
                "torch.constant_pad_nd(a, [1, 2, 1, 0])", "torch.constant_pad_nd(a, [0, -1])"}));
  ExpectSameWithoutFallback({{{"f32[3,4,5]"}, "torch.reflection_pad2d(a, [1, 2, 1, 0])"}});
  ExpectBothThrow({{{"f32[2,3,4,5]"}, "torch.reflection_pad2d(a, [5, 0, 0, 0])"}});
  for (const std::string& image : {"f32[2,3,4,5]", "f32[2,3,4,5]:cl"}) {
    for (const std::string& grad : {"f32[2,3,5,8]", "f32[2,3,5,8]:cl"}) {
      ExpectSameWithoutFallback({{{image, grad}, "torch.reflection_pad2d_backward(b, a, [1, 2, 1, 0])"},
                                 {{image, grad}, "torch.replication_pad2d_backward(b, a, [1, 2, 1, 0])"}});
    }
  }
  for (const std::string& volume : {"f32[2,3,4,5,6]", "f32[2,3,4,5,6]:cl3"}) {
    ExpectSameWithoutFallback(
        {{{volume, "f32[2,3,4,6,7]"}, "torch.replication_pad3d_backward(b, a, [1, 0, 1, 0, 0, 0])"},
         {{volume, "f32[2,3,4,6,7]"}, "torch.reflection_pad3d_backward(b, a, [1, 0, 1, 0, 0, 0])"}});
  }
}

TEST(ImageKernels, PadsOfVolumesAndRows) {
  ExpectSameWithoutFallback(EachWith(
      {"f32[2,3,4,5,6]", "f32[2,3,4,5,6]:cl3", "f32[3,4,5,6]", "f32[3,4,5,6]:cl"},
      {"torch.replication_pad3d(a, [1, 0, 1, 2, 0, 1])", "torch.reflection_pad3d(a, [1, 0, 1, 2, 0, 1])"}));
  ExpectSameWithoutFallback(
      EachWith({"f32[2,3,4]", "f32[3,4]", "f32[2,3,4]:t"},
               {"torch.replication_pad1d(a, [1, 2])", "torch.reflection_pad1d(a, [1, 2])"}));
  ExpectSameWithoutFallback({{{"f32[3,4,5]"}, "torch.replication_pad2d(a, [1, 2, 1, 0])"}});
  ExpectBothThrow({{{"f32[2,3,4,5]"}, "torch.replication_pad2d(a, [-3, -3, 0, 0])"},
                   {{"f32[4,5]"}, "torch.replication_pad2d(a, [1, 2, 1, 0])"},
                   {{"f32[2,3,4,5,6]"}, "torch.reflection_pad3d(a, [6, 0, 0, 0, 0, 0])"}});
}

TEST(ImageKernels, Columns) {
  ExpectSameWithoutFallback(EachWith({"f32[2,3,6,6]", "f32[2,3,6,6]:cl:g", "f32[3,6,6]"},
                                     {"torch.im2col(a, [2, 2], [1, 1], [0, 0], [2, 2])",
                                      "torch.im2col(a, [3, 2], [2, 1], [1, 0], [1, 2])"}));
  ExpectSameWithoutFallback({
      {{"f32[2,12,9]"}, "torch.col2im(a, [6, 6], [2, 2], [1, 1], [0, 0], [2, 2])"},
      {{"f32[12,9]:t"}, "torch.col2im(a, [6, 6], [2, 2], [1, 1], [0, 0], [2, 2])"},
  });
}

TEST(ImageKernels, GridSamplers) {
  ExpectSameWithoutFallback({
      {{"f32[2,3,6,6]:g", "f32[2,4,5,2]"}, "torch.grid_sampler(a, b, 0, 0, False)"},
      {{"f32[2,3,6,6]:cl", "f32[2,4,5,2]"}, "torch.grid_sampler(a, b, 1, 1, True)"},
      {{"f32[2,3,6,6,6]", "f32[2,4,5,6,3]"}, "torch.grid_sampler(a, b, 0, 0, False)"},
      {{"f32[2,3,6,6]:cl", "f32[2,4,5,2]", "f32[2,3,4,5]"},
       "torch.grid_sampler_2d_backward(c, a, b, 0, 0, False, [True, True])"},
      {{"f32[2,3,6,6]", "f32[2,4,5,2]", "f32[2,3,4,5]"},
       "torch.grid_sampler_2d_backward(c, a, b, 0, 0, False, [False, True])"},
      {{"f32[2,3,6,6,6]", "f32[2,4,5,6,3]", "f32[2,3,4,5,6]"},
       "torch.grid_sampler_3d_backward(c, a, b, 0, 0, False, [True, True])"},
  });
  ExpectBothThrow({{{"f32[2,3,6,6]", "f32[3,4,5,2]"}, "torch.grid_sampler(a, b, 0, 0, False)"}});
}

TEST(ImageKernels, Resizing) {
  ExpectSameWithoutFallback(EachWith(
      {"f32[2,3,6,6]", "f32[2,3,6,6]:cl:g", "f32[2,3,6,6]:t"},
      {"torch.upsample_bilinear2d(a, [9, 9], False)", "torch.upsample_nearest2d(a, [9, 9])",
       "torch.upsample_bicubic2d(a, [3, 3], True)", "torch.pixel_shuffle(a.repeat(1, 4, 1, 1), 2)"}));
}

}  // namespace
}  // namespace culprit::graph::fake
