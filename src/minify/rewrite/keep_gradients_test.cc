// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/keep_gradients.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "minify/rewrite/edit.h"
#include "tests/lib/graph_builder.h"

namespace culprit::minify {
namespace {

/// a = sin(x); b = exp(y); c = a + b; d = c > 0; e = where(d, c, b), with gradients for x.
Program WithGradientForX() {
  tests::TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  const graph::ValueId y = g.Placeholder("y");
  const graph::ValueId a = g.Call("aten::sin", {x});
  const graph::ValueId b = g.Call("aten::exp", {y});
  const graph::ValueId c = g.Call("aten::add.Tensor", {a, b});
  const graph::ValueId d = g.Call("aten::gt.Scalar", {c, 0});
  g.Return({g.Call("aten::where.self", {d, c, b})});
  return {g.graph(), {at::ones({2}).requires_grad_(), at::ones({2})}};
}

/// The names of the inputs that want a gradient when just these nodes are kept.
std::string InputsWithGradients(std::vector<std::string> kept) {
  const Subject subject = *Subject::Make(WithGradientForX());
  const Program cut = *KeepNodes("", std::move(kept)).apply(subject);
  std::string names;
  for (size_t i = 0; i < cut.inputs.size(); ++i) {
    if (cut.inputs[i].toTensor().requires_grad())
      names += cut.graph.value(cut.graph.placeholders()[i].value).name + " ";
  }
  return names;
}

TEST(KeepGradientsTest, AnInputKeepsIt) {
  EXPECT_EQ(InputsWithGradients({"sin", "exp"}), "x ");
}

TEST(KeepGradientsTest, WhatDependsOnItWantsOneToo) {
  EXPECT_EQ(InputsWithGradients({"add"}), "sin ");
}

TEST(KeepGradientsTest, BooleansHaveNone) {
  EXPECT_EQ(InputsWithGradients({"where"}), "add ");
}

TEST(KeepGradientsTest, TheRecordingIsLeftAlone) {
  const Subject subject = *Subject::Make(WithGradientForX());
  const Program first = *KeepNodes("", {"add"}).apply(subject);
  const Program second = *KeepNodes("", {"add"}).apply(subject);
  EXPECT_NE(first.inputs[0].toTensor().unsafeGetTensorImpl(),
            second.inputs[0].toTensor().unsafeGetTensorImpl());
  EXPECT_TRUE(second.inputs[0].toTensor().is_leaf());
}

}  // namespace
}  // namespace culprit::minify
