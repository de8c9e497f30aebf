// SPDX-License-Identifier: Apache-2.0
#include "capture/origin.h"

#include <gtest/gtest.h>

namespace culprit::capture {
namespace {

torch::jit::StackEntry Line(const std::string& function, const std::string& file, const std::string& code) {
  const auto source = std::make_shared<torch::jit::Source>(code, file, 7);
  return {function, torch::jit::SourceRange(source, 0, code.size())};
}

TEST(OriginTest, TheInnermostLineOfTheUserIsNamed) {
  const Origin origin{{Line("forward", "net.py", "x = self.relu(x)"),
                       Line("forward", "/usr/lib/python3/dist-packages/torch/nn/modules/activation.py",
                            "return F.relu(input)")}};
  EXPECT_EQ(TextOf(origin).ToString(), "net.py:7 in forward, code: x = self.relu(x)");
}

TEST(OriginTest, TheModuleIsTheInnermostWhoseverTheLineIs) {
  const Origin origin{{Line("forward", "net.py", "x = self.body(x)")}, "body.0.relu"};
  EXPECT_EQ(TextOf(origin).ToString(), "net.py:7 in forward, module: body.0.relu, code: x = self.body(x)");
}

TEST(OriginTest, APlaceWithoutALineIsPassedOver) {
  const Origin origin{{Line("forward", "net.py", "x = self.relu(x)"), Line("forward", "", "")}};
  EXPECT_EQ(TextOf(origin).ToString(), "net.py:7 in forward, code: x = self.relu(x)");
}

}  // namespace
}  // namespace culprit::capture
