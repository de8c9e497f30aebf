// SPDX-License-Identifier: Apache-2.0
#include "hunt/sources.h"

#include <gtest/gtest.h>

#include "tests/lib/fake_checks.h"

namespace culprit::hunt {
namespace {

TEST(SourcesTest, ANodeComesFromItsLine) {
  const Sources sources = SourcesOf(tests::Chain(2).graph, {4, 7}, "net.py", "");
  EXPECT_EQ(sources.at("sin"), "net.py:4");
  EXPECT_EQ(sources.at("sin_1"), "net.py:7");
}

TEST(SourcesTest, ACommentOfPyTorchHoldsForAllNodesBelowIt) {
  const char* text =
      "def forward(self, x):\n"
      "    # File: model.py:34 in forward, code: x = self.conv(x)\n"
      "    sin = torch.ops.aten.sin.default(x)\n"
      "    sin_1 = torch.ops.aten.sin.default(sin)\n";
  const Sources sources = SourcesOf(tests::Chain(2).graph, {3, 4}, "net.py", text);
  EXPECT_EQ(sources.at("sin"), "net.py:3 (model.py:34 in forward, code: x = self.conv(x))");
  EXPECT_EQ(sources.at("sin_1"), "net.py:4 (model.py:34 in forward, code: x = self.conv(x))");
}

TEST(SourcesTest, ACommentEndsWithItsFunction) {
  const char* text = "    # File: model.py:34 in forward\ndef forward(self, x):\n    sin = ...\n";
  EXPECT_EQ(SourcesOf(tests::Chain(1).graph, {3}, "net.py", text).at("sin"), "net.py:3");
}

TEST(SourcesTest, WithoutLinesNothingIsKnown) {
  EXPECT_TRUE(SourcesOf(tests::Chain(2).graph, {}, "net.py", "").empty());
}

}  // namespace
}  // namespace culprit::hunt
