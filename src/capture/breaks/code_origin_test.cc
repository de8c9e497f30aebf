// SPDX-License-Identifier: Apache-2.0
#include "capture/breaks/code_origin.h"

#include <gtest/gtest.h>

namespace culprit::capture {
namespace {

torch::jit::StackEntry Line(const std::string& function, const std::string& file, const std::string& code) {
  const auto source = std::make_shared<torch::jit::Source>(code, file, 7);
  return {function, torch::jit::SourceRange(source, 0, code.size())};
}

TEST(OriginTest, TheInnermostLineOfTheUserIsNamed) {
  const CodeOrigin origin{{Line("forward", "net.py", "x = self.relu(x)"),
                           Line("forward", "/usr/lib/python3/dist-packages/torch/nn/modules/activation.py",
                                "return F.relu(input)")}};
  EXPECT_EQ(TextOf(origin).ToString(), "net.py:7 in forward, code: x = self.relu(x)");
}

TEST(OriginTest, TheModuleIsTheInnermostWhoseverTheLineIs) {
  const CodeOrigin origin{{Line("forward", "net.py", "x = self.body(x)")}, "body.0.relu"};
  EXPECT_EQ(TextOf(origin).ToString(), "net.py:7 in forward, module: body.0.relu, code: x = self.body(x)");
}

TEST(OriginTest, APlaceWithoutALineIsPassedOver) {
  const CodeOrigin origin{{Line("forward", "net.py", "x = self.relu(x)"), Line("forward", "", "")}};
  EXPECT_EQ(TextOf(origin).ToString(), "net.py:7 in forward, code: x = self.relu(x)");
}

/// What torch.jit.trace writes in the place of source text.
torch::jit::StackEntry Traced(const std::string& function, const std::string& stack) {
  return Line(function, stack.substr(0, stack.find('(')), stack);
}

TEST(OriginTest, OfATraceTheInnermostLineOfTheUserIsNamed) {
  const CodeOrigin origin{
      {Traced("forward",
              "/usr/lib/python3/dist-packages/torch/nn/modules/conv.py(459): _conv_forward\n"
              "/usr/lib/python3/dist-packages/torch/nn/modules/module.py(1194): _call_impl\n"
              "/srv/my (old)/net.py(12): forward\n"
              "/srv/my (old)/net.py(40): run\n")},
      "conv1"};
  EXPECT_EQ(TextOf(origin).ToString(), "/srv/my (old)/net.py:12 in forward, module: conv1");
}

TEST(OriginTest, WhereATraceWasMadeFromIsNoLineOfTheModel) {
  const CodeOrigin origin{{Traced("forward",
                                  "/x/site-packages/torch/nn/modules/conv.py(459): _conv_forward\n"
                                  "/x/site-packages/torch/nn/modules/container.py(204): forward\n"
                                  "/x/site-packages/torch/jit/_trace.py(976): trace_module\n"
                                  "make.py(3): <module>\n")},
                          "0"};
  EXPECT_EQ(TextOf(origin).ToString(),
            "/x/site-packages/torch/nn/modules/conv.py:459 in _conv_forward, module: 0");
}

TEST(OriginTest, ATraceInsideOfAScriptIsLookedThroughFirst) {
  const CodeOrigin origin{{Line("forward", "outer.py", "x = self.inner(x)"),
                           Traced("forward",
                                  "/x/site-packages/torch/nn/functional.py(9): relu\n"
                                  "inner.py(5): forward\n")}};
  EXPECT_EQ(TextOf(origin).ToString(), "inner.py:5 in forward");
}

TEST(OriginTest, SourceThatOnlyLooksLikeATraceIsSource) {
  const CodeOrigin origin{{Line("forward", "net.py", "f(1): g\nx = y")}};
  EXPECT_EQ(TextOf(origin).ToString(), "net.py:7 in forward, code: f(1): g");
}

}  // namespace
}  // namespace culprit::capture
