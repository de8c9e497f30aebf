// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/model_line.h"

#include <gtest/gtest.h>

namespace culprit::graph {
namespace {

TEST(ModelLineTest, TheModuleStandsBeforeTheCode) {
  const ModelPlace place{"net.py", 12, "forward", "features.4.block.2", "x = self.conv(x)"};
  EXPECT_EQ(place.ToString(), "net.py:12 in forward, module: features.4.block.2, code: x = self.conv(x)");
  EXPECT_EQ(ModuleOf(place.ToString()), "features.4.block.2");
}

TEST(ModelLineTest, WithoutAModuleTheTextIsThatOfPyTorch) {
  const ModelPlace place{"net.py", 12, "forward", "", "f(x), module: y"};
  EXPECT_EQ(place.ToString(), "net.py:12 in forward, code: f(x), module: y");
  EXPECT_EQ(ModuleOf(place.ToString()), "");
}

TEST(ModelLineTest, AnyTextMayBeAsked) {
  EXPECT_EQ(ModuleOf(""), "");
  EXPECT_EQ(ModuleOf("net.py:12 in forward, module: stem"), "stem");
  EXPECT_EQ(ModuleOf("net.py:12"), "");
}

}  // namespace
}  // namespace culprit::graph
