// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/python_text.h"

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/torchscript/torchscript.h"
#include "tests/lib/graph_builder.h"

namespace culprit::backends::torchscript {
namespace {

using graph::PlaceholderKind;
using graph::ValueId;
using graph::ValueKind;
using testing::HasSubstr;
using tests::TestGraph;

constexpr ScriptSettings kOfi{.stage = ScriptStage::kOfi, .calls = 3};
constexpr ScriptSettings kNnc{.stage = ScriptStage::kNnc, .calls = 3};
constexpr ScriptSettings kPlain{.calls = 3};

TEST(PythonTextTest, WhatIsFrozenIsAModule) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), w = g.Placeholder("w", PlaceholderKind::kParameter);
  g.Return({g.Call("aten::relu", {g.Call("aten::mm", {x, w})})});
  EXPECT_EQ(PythonText(g.graph(), {at::ones({2, 2}), at::ones({2, 2})}, kOfi), R"(
def compiled(args):
    torch._C._jit_override_can_fuse_on_cpu(False)
    class Program(torch.nn.Module):
        def __init__(self, w):
            super().__init__()
            self.w = torch.nn.Parameter(w, requires_grad=False)

        def forward(self, x):
            w = self.w
            mm = torch.ops.aten.mm(x, w)
            relu = torch.ops.aten.relu(mm)
            return (relu,)
    model = torch.jit.optimize_for_inference(scripted(Program(args[1]).eval()))
    return lambda *args: model(args[0])

compiled.calls = 3
compiled.frozen = (1,)
)");
}

TEST(PythonTextTest, NumbersAreWrittenWithAllDigits) {
  TestGraph g;
  const ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::mul.Tensor", {x, 0.1234567890123456789})});
  EXPECT_THAT(*PythonText(g.graph(), {at::ones({2})}, kNnc),
              HasSubstr("torch.ops.aten.mul(x, 0.12345678901234568)"));
}

TEST(PythonTextTest, ConstantsArePutIntoTheGraph) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), c = g.Constant("c", at::ones({2}));
  g.Return({g.Call("aten::mul.Tensor", {x, c})});
  const std::string text = *PythonText(g.graph(), {at::ones({2})}, kPlain);
  EXPECT_THAT(text, HasSubstr("    def program(x, c):\n"));
  EXPECT_THAT(text, HasSubstr("    for constant in (mod.c,):\n"));
  EXPECT_THAT(text, HasSubstr("compiled.frozen = ()\n"));
}

TEST(PythonTextTest, WhatIsNoTensorHasItsType) {
  TestGraph g;
  const ValueId x = g.Placeholder("x"), n = g.Placeholder("n", PlaceholderKind::kInput, ValueKind::kInt);
  g.Return({g.Call("aten::mul.Scalar", {x, n})});
  EXPECT_THAT(*PythonText(g.graph(), {at::ones({2}), 3}, kPlain), HasSubstr("    def program(x, n: int):\n"));
}

TEST(PythonTextTest, ALongProgramHasNone) {
  TestGraph g;
  ValueId x = g.Placeholder("x");
  for (int i = 0; i < 201; ++i) x = g.Call("aten::sin", {x});
  g.Return({x});
  EXPECT_EQ(PythonText(g.graph(), {at::ones({2})}, kPlain), std::nullopt);
}

TEST(PythonTextTest, SwitchesThatAreOffCannotBeSaid) {
  TestGraph g;
  g.Return({g.Call("aten::sin", {g.Placeholder("x")})});
  const auto in_python = [&](const char* spec) {
    const TorchScript kind;
    const auto configuration = backend::Configuration::Make(*backend::ParseSpec(spec), kind.description());
    return (*kind.Open(*configuration))
        ->InPython(g.graph(), {at::ones({2})}, backend::Graphs::kCaptured)
        .has_value();
  };
  EXPECT_TRUE(in_python("torchscript:stage=ofi"));
  EXPECT_FALSE(in_python("torchscript:stage=ofi,off=peephole"));
}

}  // namespace
}  // namespace culprit::backends::torchscript
