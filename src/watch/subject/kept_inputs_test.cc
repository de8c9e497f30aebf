// SPDX-License-Identifier: Apache-2.0
#include "watch/subject/kept_inputs.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/short_graph.h"

namespace culprit::watch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

at::Tensor Numbers() {
  return at::arange(4, at::kFloat);
}

TEST(KeptInputsTest, TheGraphSaysWhatItWrites) {
  EXPECT_THAT(WrittenPlaceholders(tests::ShortGraph("x, y, z\n"
                                                    "view = view.default(y, [-1])\n"
                                                    "add = add_.Tensor(view, x)\n"
                                                    "return (add, z)\n")),
              ElementsAre(false, true, false));
}

TEST(KeptInputsTest, WhatIsWrittenIsCopiedAndTheRestIsHeld) {
  const at::Tensor x = Numbers();
  const at::Tensor y = Numbers();
  const KeptInputs kept({x, y, 3}, {false, true, false});
  y.zero_();
  EXPECT_TRUE(kept.values()[0].toTensor().is_same(x));
  EXPECT_TRUE(kept.values()[1].toTensor().equal(Numbers()));
  EXPECT_EQ(kept.values()[2].toInt(), 3);
  EXPECT_THAT(kept.Spoilt(), IsEmpty());
}

TEST(KeptInputsTest, WhatSharesMemoryWithSomethingWrittenIsCopiedWithIt) {
  const at::Tensor x = Numbers();
  const KeptInputs kept({x.slice(0, 1, 3), x}, {false, true});
  x.zero_();
  EXPECT_TRUE(kept.values()[0].toTensor().equal(Numbers().slice(0, 1, 3)));
  EXPECT_TRUE(kept.values()[0].toTensor().is_alias_of(kept.values()[1].toTensor()));
}

TEST(KeptInputsTest, AWriteThatTheGraphDoesNotMakeIsNoticed) {
  const at::Tensor x = Numbers();
  const KeptInputs kept({x}, {false});
  x.zero_();
  EXPECT_THAT(kept.Spoilt(), ElementsAre(0));
}

TEST(KeptInputsTest, RestoringIsNotNoticedByAutograd) {
  const at::Tensor x = Numbers();
  const KeptInputs kept({x}, {true});
  x.zero_();
  const auto version = x._version();
  kept.Restore();
  EXPECT_TRUE(x.equal(Numbers()));
  EXPECT_EQ(x._version(), version);
}

TEST(MemoryHashesTest, AWriteBehindLibtorchsBackIsNoticed) {
  const at::Tensor x = Numbers();
  const backend::Values values{Numbers(), x, x.slice(0, 1, 3), x.slice(0, 0, 1), "text"};
  const MemoryHashes hashes(values);
  EXPECT_THAT(hashes.Changed(), IsEmpty());
  x.data_ptr<float>()[2] = 7;
  EXPECT_THAT(hashes.Changed(), ElementsAre(1, 2));
}

}  // namespace
}  // namespace culprit::watch
