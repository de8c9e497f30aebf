// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::ExpectBothThrow;
using tests::ExpectSameWithoutFallback;

TEST(IndexingKernels, IndexSelect) {
  ExpectSameWithoutFallback({
      {{"f32[2,3,4,5]:g", "i64[2]"}, "torch.index_select(a, 1, b)"},
      {{"f32[2,3,4,5]:cl", "i32[2]"}, "torch.index_select(a, -1, b)"},
      {{"f32[2,3]:t", "i64[0]"}, "torch.index_select(a, 1, b)"},
      {{"i64[2,3]", "i64[]"}, "torch.index_select(a, 1, b)"},
      {{"f32[2,3]", "i64[4]"}, "torch.embedding(a, b)"},
      {{"f32[2,3]:g", "i64[4,2]"}, "torch.embedding(a, b)"},
  });
  ExpectBothThrow({{{"f32[2,3]", "f32[2]"}, "torch.index_select(a, 1, b)"},
                   {{"f32[2,3]", "i64[2,2]"}, "torch.index_select(a, 1, b)"}});
}

TEST(IndexingKernels, Take) {
  ExpectSameWithoutFallback(
      {{{"f32[2,3]:g", "i64[2,2]:t"}, "torch.take(a, b)"}, {{"f32[2,3]:t", "i64[]"}, "torch.take(a, b)"}});
  ExpectBothThrow({{{"f32[2,3]", "i32[2]"}, "torch.take(a, b)"}});
}

TEST(IndexingKernels, EmbeddingBackward) {
  ExpectSameWithoutFallback({
      {{"f32[4,3]", "i64[4]"}, "torch.embedding_dense_backward(a, b, 5, -1, False)"},
      {{"f32[2,2,3]", "i64[2,2]"}, "torch.embedding_dense_backward(a, b, 5, 0, True)"},
  });
}

TEST(IndexingKernels, IndexPutAlsoWithMasks) {
  ExpectSameWithoutFallback({
      {{"f32[4,4]", "i64[2]", "f32[2]"}, "a.index_put_([b, b], c)"},
      {{"f32[4,4]", "bool[4,4]", "f32[]"}, "a.index_put_([b], c)"},
      {{"f32[4,4]:t", "bool[4]", "f32[1]"}, "torch.index_put(a, [b], c)"},
      {{"f32[4,4]", "bool[4,4]", "f32[]"}, "a.masked_fill(b, 1.5)"},
      {{"f32[4,4]", "bool[4,4]", "f32[16]"}, "a.masked_scatter(b, c)"},
  });
}

TEST(IndexingKernels, Indexing) {
  ExpectSameWithoutFallback({
      {{"f32[2,3,4,5]", "i64[2]"}, "a[:, b]"},
      {{"f32[2,3,4,5]:cl", "i64[2]"}, "a[:, b, :, b]"},
      {{"f32[2,3,4,5]:t", "i64[2,2]"}, "a[b]"},
      {{"f32[2,3]", "i64[2,3]"}, "torch.gather(a, 0, b * 0)"},
      {{"f32[2,3]", "i64[2,3]", "f32[2,3]"}, "torch.scatter(a, 0, b * 0, c)"},
  });
}

}  // namespace
}  // namespace culprit::graph::fake
