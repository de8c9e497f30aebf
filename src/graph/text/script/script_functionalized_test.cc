// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/text/script/script_test.h"

namespace culprit::graph::text {
namespace {

using testing::HasSubstr;

std::string Forward(const std::string& parameters, const std::string& body) {
  return "class Repro:\n    def forward(self, " + parameters + "):\n" + body;
}

/// Its statements as they are printed, one in a line.
std::string BodyOf(const std::string& parameters, const std::string& body) {
  const Script script = ReadValidScript(Forward(parameters, body));
  const std::string text = *PrintGraph(script.graph);
  std::string lines;
  size_t start = text.find('\n', text.find("def forward")) + 1;
  while (start < text.size()) {
    const size_t end = std::min(text.find('\n', start), text.size());
    const size_t first = std::min(text.find_first_not_of(' ', start), end);
    lines += text.substr(first, end - first) + "\n";
    start = end + 1;
  }
  return lines;
}

std::string MessageOf(const std::string& body) {
  const base::Result<Script> script = ReadScript("net.py", Forward("x, y", body));
  return script.ok() ? "" : script.error().message;
}

constexpr const char* kHigher = "torch.ops.higher_order.";

TEST(FunctionalizedCall, WhatIsWrittenIsCopied) {
  EXPECT_EQ(BodyOf("x, y",
                   fmt::format(
                       "        f = {}auto_functionalized(torch.ops.aten.add_.Tensor, self = x, other = y)\n"
                       "        a = f[0]\n        b = f[1];  f = None\n        return (a, b)\n",
                       kHigher)),
            "b = torch.ops.aten.clone.default(x)\n"
            "a = torch.ops.aten.add_.Tensor(b, y)\n"
            "return (a, b)\n");
}

TEST(FunctionalizedCall, AnOperatorWithoutResultsGivesNoneAndItsListOfCopies) {
  EXPECT_EQ(
      BodyOf(
          "x, y",
          fmt::format("        f = {}auto_functionalized(torch.ops.aten._foreach_add_.Scalar, self = [x, y], "
                      "scalar = 1)\n        b = f[1]\n        c = b[1]\n        return (f[0], c)\n",
                      kHigher)),
      "clone = torch.ops.aten.clone.default(x)\n"
      "c = torch.ops.aten.clone.default(y)\n"
      "torch.ops.aten._foreach_add_.Scalar([clone, c], 1)\n"
      "return (None, c)\n");
}

TEST(FunctionalizedCall, BasesAreCopiedAndViewedAsTheyWere) {
  const auto call = [](const std::string& view) {
    return fmt::format(
        "        f = {}auto_functionalized_v2(torch.ops.aten.add_.Tensor, other = y, _self_base_index = 0, {}"
        "_all_bases = [x])\n        return (f[1],)\n",
        kHigher, view);
  };
  EXPECT_THAT(BodyOf("x, y", call("")), HasSubstr("add_.Tensor(f, y)\nreturn (f,)"));
  EXPECT_THAT(BodyOf("x, y", call("_self_alias = True, ")), HasSubstr("= torch.ops.aten.alias.default(f)\n"));
  EXPECT_THAT(BodyOf("x, y", call("_self_slice_dim = 0, _self_slice_start = 1, _self_slice_end = 3, ")),
              HasSubstr("slice = torch.ops.aten.slice.Tensor(f, 0, 1, 3)\n"));
  EXPECT_THAT(BodyOf("x, y", call("_self_size = (2,), _self_stride = (4,), _self_storage_offset = 1, ")),
              HasSubstr("as_strided = torch.ops.aten.as_strided.default(f, [2], [4], 1)\n"));
}

TEST(FunctionalizedCall, EachElementOfAListHasItsBase) {
  EXPECT_THAT(
      BodyOf(
          "x, y",
          fmt::format("        f = {}auto_functionalized_v2(torch.ops.aten._foreach_add_.Scalar, scalar = 1, "
                      "_self_length = 2, _self_0_base_index = 1, _self_1_base_index = 0, "
                      "_all_bases = [x, y])\n        return (f[1], f[2])\n",
                      kHigher)),
      HasSubstr("_foreach_add_.Scalar([f_1, f], 1)\nreturn (f, f_1)"));
}

TEST(FunctionalizedCall, AnEffectComesBehindItsToken) {
  EXPECT_EQ(
      BodyOf("token, x", fmt::format("        w = {}with_effects(token, torch.ops.aten.relu.default, x)\n"
                                     "        t = w[0]\n        r = w[1]\n        return (t, r)\n",
                                     kHigher)),
      "r = torch.ops.aten.relu.default(x)\nreturn (token, r)\n");
}

TEST(FunctionalizedCall, TokensAreTensorsOfNothing) {
  EXPECT_EQ(
      BodyOf("x",
             fmt::format("        t = torch.ops.prims._make_token.default()\n"
                         "        w = {}with_effects(t, torch.ops.aten.relu.default, x)\n"
                         "        s = torch.ops.prims._sink_tokens.default([w[0]])\n        return (w[1],)\n",
                         kHigher)),
      "t = torch.ops.aten.empty.memory_format([0])\n"
      "w = torch.ops.aten.relu.default(x)\nreturn (w,)\n");
}

TEST(FunctionalizedCall, WhatIsMissingOrWrongIsSaid) {
  const auto call = [](const std::string& name, const std::string& arguments) {
    return fmt::format("        f = {}{}({})\n        return (f[0],)\n", kHigher, name, arguments);
  };
  EXPECT_EQ(MessageOf(call("auto_functionalized", "x")), "'x' is not an operator");
  EXPECT_EQ(MessageOf(call("auto_functionalized", "torch.ops.aten.add_.Tensor, other = y")),
            "'self' is missing");
  EXPECT_EQ(MessageOf(call("auto_functionalized_v2", "torch.ops.aten.add_.Tensor, other = y")),
            "'_all_bases' is missing");
  EXPECT_EQ(MessageOf(call("auto_functionalized_v2",
                           "torch.ops.aten.add_.Tensor, other = y, _self_base_index = 2, _all_bases = [x]")),
            "'_self_base_index' is 2, and has to be from 0 to 0");
  EXPECT_EQ(MessageOf(call("auto_functionalized", "torch.ops.aten.add_, self = x, other = y")),
            "'torch.ops.aten.add_' does not name one overload");
}

}  // namespace
}  // namespace culprit::graph::text
