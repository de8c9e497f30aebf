// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/contiguous_copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/short_graph.h"

namespace culprit::autograd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::ShortGraph;
using tests::ShortText;

TEST(ContiguousCopiesTest, WhatIsReadOnlyMayBeACopy) {
  const graph::Graph graph = ShortGraph(
      "x\nv = slice.Tensor(x, 1, 0, 2)\ny = contiguous.default(v)\nz = sin.default(y)\nreturn (z,)");
  EXPECT_THAT(PossibleCopies(graph), ElementsAre(graph::NodeId(1)));
  EXPECT_EQ(ShortText(WithCopies(graph, {graph::NodeId(1)})),
            "v = slice.Tensor(x, 1, 0, 2)\n"
            "y = clone.default(v, memory_format=torch.contiguous_format)\n"
            "z = sin.default(y)\n"
            "return (z,)\n");
  EXPECT_EQ(WithCopies(graph, {}), graph);
}

TEST(ContiguousCopiesTest, WhatIsWrittenMayNot) {
  EXPECT_THAT(PossibleCopies(ShortGraph("x\n"
                                        "a = sin.default(x)\n"
                                        "y = contiguous.default(a)\n"
                                        "w = add_.Tensor(y, 1)\n"
                                        "z = cos.default(a)\n"
                                        "return (z,)")),
              IsEmpty());
}

TEST(ContiguousCopiesTest, WhatIsReturnedMayNot) {
  EXPECT_THAT(PossibleCopies(ShortGraph("x\ny = contiguous.default(x)\nz = t.default(y)\nreturn (z,)")),
              IsEmpty());
}

}  // namespace
}  // namespace culprit::autograd
