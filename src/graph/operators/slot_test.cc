// SPDX-License-Identifier: Apache-2.0
#include "graph/operators/slot.h"

#include <ATen/core/jit_type.h>
#include <gtest/gtest.h>

#include "graph/operators/operator.h"

namespace culprit::graph {
namespace {

/// The slots of an operator as one text: "Tensor, int[2], dtype?".
std::string SlotsOf(const char* op) {
  std::string text;
  for (const Slot& slot : Operator::Get(op).slots()) text += (text.empty() ? "" : ", ") + slot.ToString();
  return text;
}

TEST(SlotTest, KnowsEveryKindThatSchemasUse) {
  EXPECT_EQ(SlotsOf("aten::add.Tensor"), "Tensor, Tensor, number");
  EXPECT_EQ(SlotsOf("aten::dropout"), "Tensor, float, bool");
  EXPECT_EQ(SlotsOf("aten::div.Tensor_mode"), "Tensor, Tensor, str?");
  EXPECT_EQ(SlotsOf("aten::native_batch_norm"),
            "Tensor, Tensor?, Tensor?, Tensor?, Tensor?, bool, float, float");
}

TEST(SlotTest, TellsDtypesLayoutsAndMemoryFormatsFromInts) {
  EXPECT_EQ(SlotsOf("aten::full"), "int[], number, dtype?, layout?, device?, bool?");
  EXPECT_EQ(SlotsOf("aten::clone"), "Tensor, memory_format?");
  EXPECT_EQ(SlotsOf("aten::to.device"), "Tensor, device, dtype, bool, bool, memory_format?");
}

TEST(SlotTest, KnowsListsTheirElementsAndTheirFixedLength) {
  EXPECT_EQ(SlotsOf("aten::index.Tensor"), "Tensor, Tensor?[]");
  EXPECT_EQ(SlotsOf("aten::cat"), "Tensor[], int");
  EXPECT_EQ(SlotsOf("aten::avg_pool2d"), "Tensor, int[2], int[2], int[2], bool, bool, int?");
  EXPECT_EQ(SlotsOf("aten::upsample_nearest1d.vec"), "Tensor, int[]?, float[]?");
  EXPECT_EQ(SlotsOf("aten::convolution_backward"),
            "Tensor, Tensor, Tensor, int[]?, int[], int[], int[], bool, int[], int, bool[3]");
}

TEST(SlotTest, KnowsGenerators) {
  EXPECT_EQ(SlotsOf("aten::bernoulli"), "Tensor, Generator?");
}

TEST(SlotTest, CallsTheRestUnsupported) {
  EXPECT_EQ(SlotsOf("aten::set_.source_Storage"), "Tensor, unsupported");
}

TEST(SlotTest, AnOptionalListKeepsItsFixedLength) {
  const c10::TypePtr type = c10::OptionalType::create(c10::ListType::ofInts());
  const Slot slot = Slot::FromType(*type, 2);
  EXPECT_TRUE(slot.optional);
  EXPECT_EQ(slot.ToString(), "int[2]?");
}

}  // namespace
}  // namespace culprit::graph
