// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/call_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "graph/fake/mode.h"

namespace culprit::graph::fake {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CallPlan PlanOf(const char* name, const char* overload = "") {
  return PlanFor(c10::Dispatcher::singleton().findSchemaOrThrow(name, overload));
}

TEST(CallPlan, RoutesFollowNameAndKernels) {
  World world;
  const Mode registers_kernels(world);
  EXPECT_EQ(PlanOf("aten::nonzero").route, CallRoute::kRefuse);
  EXPECT_EQ(PlanOf("aten::linear").route, CallRoute::kDecompose);
  EXPECT_EQ(PlanOf("aten::add", "Tensor").route, CallRoute::kMeta);
  EXPECT_EQ(PlanOf("aten::zeros").route, CallRoute::kMeta);
  EXPECT_EQ(PlanOf("aten::relu").route, CallRoute::kMeta);
  EXPECT_EQ(PlanOf("aten::histc").route, CallRoute::kZeros);
}

TEST(CallPlan, KnowsWhatIsWritten) {
  EXPECT_THAT(PlanOf("aten::add", "Tensor").written, IsEmpty());
  EXPECT_THAT(PlanOf("aten::add_", "Tensor").written, ElementsAre(0));
  EXPECT_THAT(PlanOf("aten::add", "out").written, ElementsAre(3));
  EXPECT_THAT(PlanOf("aten::_foreach_add_", "List").written, ElementsAre(0));
}

TEST(CallPlan, KnowsWhatSaysWhereResultsAre) {
  EXPECT_THAT(PlanOf("aten::zeros").devices, ElementsAre(3));
  EXPECT_THAT(PlanOf("aten::to", "device").devices, ElementsAre(1));
  EXPECT_THAT(PlanOf("aten::relu").devices, IsEmpty());
}

TEST(CallPlan, KnowsWhetherAResultIsNoTensor) {
  EXPECT_TRUE(PlanOf("aten::is_set_to").returns_values);
  EXPECT_FALSE(PlanOf("aten::split", "Tensor").returns_values);
  EXPECT_FALSE(PlanOf("aten::native_batch_norm").returns_values);
}

TEST(CallPlan, AsksForArgumentsWhereTheyDecide) {
  EXPECT_TRUE(PlanOf("aten::index", "Tensor").asks_arguments);
  EXPECT_FALSE(PlanOf("aten::add", "Tensor").asks_arguments);
}

}  // namespace
}  // namespace culprit::graph::fake
