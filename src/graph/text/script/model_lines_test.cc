// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/model_lines.h"

#include <gtest/gtest.h>

#include "graph/text/script/script.h"

namespace culprit::graph::text {
namespace {

constexpr std::string_view kScript = R"(
class Repro(torch.nn.Module):
    def forward(self, x):
        sin = torch.ops.aten.sin.default(x)
        # File: net.py:12 in forward, code: x = x.cos().tan()
        cos = torch.ops.aten.cos.default(sin)
        tan = torch.ops.aten.tan.default(cos)
        # File: net.py:13 in forward, code: return x.exp()
        exp = torch.ops.aten.exp.default(tan)
        # File:
        abs = torch.ops.aten.abs.default(exp)
        return (abs,)
)";

std::vector<std::string> LinesOf(const Graph& graph) {
  std::vector<std::string> lines;
  for (const Node& node : graph.nodes()) lines.push_back(node.model_line ? *node.model_line : "");
  return lines;
}

const std::vector<std::string> kLines = {"", "net.py:12 in forward, code: x = x.cos().tan()",
                                         "net.py:12 in forward, code: x = x.cos().tan()",
                                         "net.py:13 in forward, code: return x.exp()", ""};

TEST(ModelLinesTest, ACommentHoldsUntilTheNextOne) {
  EXPECT_EQ(LinesOf(ReadScript("x.py", kScript)->graph), kLines);
}

TEST(ModelLinesTest, TheyAreWrittenAgain) {
  const Graph graph = ReadScript("x.py", kScript)->graph;
  const std::string text = *PrintScript({.graph = graph});
  EXPECT_EQ(LinesOf(ReadScript("y.py", text)->graph), kLines);
}

TEST(ModelLinesTest, ACommentAboveTheFunctionBelongsToAnother) {
  const std::string text = "# File: other.py:1 in f, code: x\n" + std::string(kScript);
  EXPECT_EQ(LinesOf(ReadScript("x.py", text)->graph), kLines);
}

}  // namespace
}  // namespace culprit::graph::text
