// SPDX-License-Identifier: Apache-2.0
#include "watch/subject/live_models.h"

#include <ATen/ops/arange.h>
#include <gtest/gtest.h>

namespace culprit::watch {
namespace {

at::Tensor Numbers() {
  return at::arange(4, at::kFloat);
}

TEST(RecordedCallTest, GivesWhatTheCallGave) {
  const KeptInputs kept({Numbers()}, {false});
  const backend::Values outputs{Numbers().add(1)};
  backend::Values inputs{Numbers()};
  const c10::IValue given = RecordedCall(kept, outputs).Call(inputs);
  EXPECT_TRUE(given.toTupleRef().elements()[0].toTensor().is_same(outputs[0].toTensor()));
}

TEST(RecordedCallTest, WritesWhatTheCallWrote) {
  const at::Tensor x = Numbers();
  const KeptInputs kept({x}, {true});
  x.fill_(7);
  const backend::Values outputs;
  backend::Values inputs{kept.values()[0].toTensor().clone()};
  RecordedCall(kept, outputs).Call(inputs);
  EXPECT_TRUE(inputs[0].toTensor().equal(x));
  EXPECT_TRUE(kept.values()[0].toTensor().equal(Numbers()));
}

TEST(RecordedCallTest, OutputsShareMemoryWithTheInputsThatAreGiven) {
  const at::Tensor x = Numbers();
  const KeptInputs kept({x}, {false});
  const backend::Values outputs{x.slice(0, 1, 3)};
  backend::Values inputs{Numbers()};
  const c10::IValue given = RecordedCall(kept, outputs).Call(inputs);
  const at::Tensor view = given.toTupleRef().elements()[0].toTensor();
  EXPECT_TRUE(view.is_alias_of(inputs[0].toTensor()));
  EXPECT_FALSE(view.is_alias_of(x));
  EXPECT_TRUE(view.equal(x.slice(0, 1, 3)));
}

}  // namespace
}  // namespace culprit::watch
