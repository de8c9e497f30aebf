// SPDX-License-Identifier: Apache-2.0
#include "explain/later_writes.h"

#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LaterWritesTest, WhereNobodyWritesNoGraphIsNamed) {
  const at::Tensor x = at::ones({4}).mul_(2);
  LaterWrites writes;
  writes.Note("net_0", {x, x.view({2, 2}), 3});
  EXPECT_THAT(writes.Graphs(), IsEmpty());
}

TEST(LaterWritesTest, AWriteIntoAViewCountsForItsBase) {
  const at::Tensor x = at::ones({4});
  const at::Tensor y = at::ones({4});
  LaterWrites writes;
  writes.Note("net_0", {x});
  writes.Note("net_1", {y});
  x.view({2, 2}).add_(1);
  EXPECT_THAT(writes.Graphs(), ElementsAre("net_0"));
}

TEST(LaterWritesTest, EachCallOfAGraphCounts) {
  const at::Tensor first = at::ones({4});
  LaterWrites writes;
  writes.Note("net_0", {first});
  writes.Note("net_0", {at::ones({4})});
  first.zero_();
  EXPECT_THAT(writes.Graphs(), ElementsAre("net_0"));
}

TEST(LaterWritesTest, TensorsInListsCount) {
  const at::Tensor x = at::ones({4});
  LaterWrites writes;
  writes.Note("net_0", {c10::List<at::Tensor>({x})});
  x.zero_();
  EXPECT_THAT(writes.Graphs(), ElementsAre("net_0"));
}

TEST(LaterWritesTest, TensorsOfInferenceHaveNoCounter) {
  const c10::InferenceMode mode;
  const at::Tensor x = at::ones({4});
  LaterWrites writes;
  writes.Note("net_0", {x});
  x.add_(1);
  EXPECT_THAT(writes.Graphs(), IsEmpty());
}

}  // namespace
}  // namespace culprit::explain
