// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/torch_error.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "base/internal_error.h"

namespace culprit::graph {
namespace {

template <typename Function>
std::string MessageOf(Function function) {
  try {
    function();
  } catch (const std::exception& error) {
    return TorchMessage(error);
  }
  return "no error";
}

TEST(TorchMessageTest, LeavesTheBacktraceOut) {
  EXPECT_EQ(MessageOf([] { TORCH_CHECK_INDEX(false, "out of range"); }), "out of range");
}

TEST(TorchMessageTest, KnowsTheErrorsThatAreNoneOfC10) {
  EXPECT_EQ(MessageOf([] { at::zeros({3}).view({2, 2}); }), "shape '[2, 2]' is invalid for input of size 3");
}

TEST(TorchMessageTest, LeavesAdviceAndDispatchTablesOut) {
  EXPECT_EQ(MessageOf([] { at::zeros({3}).to_sparse().cumsum(0); }),
            "Could not run 'aten::cumsum' with arguments from the 'SparseCPU' backend");
}

TEST(TorchMessageTest, PassesOwnErrorsOn) {
  EXPECT_THROW(MessageOf([] { CULPRIT_CHECK(false, "a bug"); }), base::InternalError);
}

}  // namespace
}  // namespace culprit::graph
