// SPDX-License-Identifier: Apache-2.0
#include "check/memory/share_repeated.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "tests/lib/values.h"

namespace culprit::check {
namespace {

Results Giving(c10::IValue outputs) {
  Results results;
  results.outputs = std::move(outputs);
  return results;
}

const c10::StorageImpl* StorageOf(const at::Tensor& tensor) {
  return tensor.storage().unsafeGetStorageImpl();
}

at::Tensor Element(const Results& results, size_t index) {
  return results.outputs.toTupleRef().elements()[index].toTensor();
}

TEST(ShareRepeatedTest, TheSameBytesNeedNoMemoryOfTheirOwn) {
  const Results first = Giving(at::ones({4}));
  Results further = Giving(at::ones({4}).requires_grad_(true));
  ShareRepeated(first, further);
  const at::Tensor a = first.outputs.toTensor(), b = further.outputs.toTensor();
  EXPECT_EQ(a.data_ptr(), b.data_ptr());
  EXPECT_NE(StorageOf(a), StorageOf(b)) << "whoever compares aliasing sees two outputs";
  EXPECT_TRUE(b.requires_grad());
}

TEST(ShareRepeatedTest, TheMemoryLivesAsLongAsSomebodyNeedsIt) {
  Results further = Giving(at::full({4}, 3.0));
  ShareRepeated(Giving(at::full({4}, 3.0)), further);
  EXPECT_TRUE(further.outputs.toTensor().equal(at::full({4}, 3.0)));
}

TEST(ShareRepeatedTest, OtherBytesSizesOrStridesStay) {
  const Results first = Giving(at::ones({2, 2}));
  for (const at::Tensor& other :
       {at::full({2, 2}, 2.0), at::ones({4}), at::ones({2, 2}).t(), at::ones({2, 2}, at::kDouble)}) {
    Results further = Giving(other);
    ShareRepeated(first, further);
    EXPECT_TRUE(further.outputs.toTensor().is_same(other));
  }
}

TEST(ShareRepeatedTest, WhatSharesMemoryWithinACallSharesItStill) {
  const at::Tensor a = at::ones({4}), b = at::ones({4});
  const Results first = Giving(tests::Tuple({a, a.slice(0, 2), at::ones({4})}));
  Results further = Giving(tests::Tuple({b, b.slice(0, 2), at::ones({4})}));
  ShareRepeated(first, further);
  EXPECT_EQ(Element(further, 0).data_ptr(), a.data_ptr());
  EXPECT_EQ(StorageOf(Element(further, 0)), StorageOf(Element(further, 1)));
  EXPECT_NE(StorageOf(Element(further, 0)), StorageOf(Element(further, 2)));
}

// The second call of such a compiler writes over the results of the first.
TEST(ShareRepeatedTest, WhatSharesMemoryWithTheFirstCallAlreadyIsLeftAlone) {
  const at::Tensor kept = at::ones({4});
  const Results first = Giving(kept);
  Results further = Giving(kept);
  ShareRepeated(first, further);
  EXPECT_EQ(StorageOf(further.outputs.toTensor()), StorageOf(kept));
}

TEST(ShareRepeatedTest, MemoryThatDoesNotCorrespondOneToOneStays) {
  const at::Tensor shared = at::ones({2});
  const Results first = Giving(tests::Tuple({shared, shared}));
  Results further = Giving(tests::Tuple({at::ones({2}), at::ones({2})}));
  ShareRepeated(first, further);
  EXPECT_NE(Element(further, 0).data_ptr(), shared.data_ptr());
  EXPECT_NE(StorageOf(Element(further, 0)), StorageOf(Element(further, 1)));
}

TEST(RepeatedTest, ResultsAreOnStoragesOfTheirOwnInTheSameMemory) {
  const at::Tensor x = at::ones({4});
  const Results first = Giving(tests::Tuple({x, x.slice(0, 2), at::ones({4}).requires_grad_(true)}));
  const Results further = Repeated(first, {});
  EXPECT_EQ(Element(further, 0).data_ptr(), x.data_ptr());
  EXPECT_NE(StorageOf(Element(further, 0)), StorageOf(x));
  EXPECT_EQ(StorageOf(Element(further, 0)), StorageOf(Element(further, 1)));
  EXPECT_NE(StorageOf(Element(further, 0)), StorageOf(Element(further, 2)));
  EXPECT_TRUE(Element(further, 2).requires_grad());
}

TEST(RepeatedTest, WhatBothRunsLieOnIsNeithers) {
  const at::Tensor x = at::ones({4}), constant = at::ones({4});
  Results first = Giving(constant), second = Giving(constant.slice(0, 1));
  first.inputs = {x};
  second.inputs = {x};
  EXPECT_TRUE(Repeated(first, second).inputs[0].toTensor().is_same(x));
  EXPECT_TRUE(Repeated(first, second).outputs.toTensor().is_same(constant));
}

TEST(ShareRepeatedTest, TheStateOfAModelStaysItsOwn) {
  const at::Tensor before = at::ones({2}), now = at::ones({2});
  Results first = Giving(before), further = Giving(now);
  first.state.buffers = {{"a", before}, {"b", now}};
  further.state.buffers = first.state.buffers;
  ShareRepeated(first, further);
  EXPECT_TRUE(further.outputs.toTensor().is_same(now));
}

}  // namespace
}  // namespace culprit::check
