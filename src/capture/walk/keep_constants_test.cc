// SPDX-License-Identifier: Apache-2.0
#include "capture/walk/keep_constants.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/captured_function.h"

namespace culprit::capture {
namespace {

using tests::CapturedFunction;

/// A function of x and a constant c.
CapturedFunction Function(const std::string& body, const at::Tensor& c) {
  return CapturedFunction(("def f(x: Tensor, c: Tensor):\n  " + body + "\n").c_str(), {}, {c});
}

const graph::Graph& GraphOf(CapturedFunction& f) {
  return f.program().segments().at(0)->graph;
}

TEST(KeepConstantsTest, AConstantOfTheProgramIsOneOfTheGraph) {
  const at::Tensor c = at::tensor({1.0f, 2.0f});
  CapturedFunction f = Function("return x * c + c", c);
  EXPECT_TRUE(f({at::ones({2})}).toTensor().equal(at::tensor({2.0f, 4.0f})));
  ASSERT_EQ(GraphOf(f).constants().size(), 1);
  EXPECT_TRUE(GraphOf(f).constants()[0].tensor.equal(c));
  EXPECT_EQ(GraphOf(f).placeholders().size(), 1);
}

TEST(KeepConstantsTest, OneThatSomebodyHasWrittenIntoIsCapturedAgain) {
  const at::Tensor c = at::tensor({1.0f, 2.0f});
  CapturedFunction f = Function("return x * c", c);
  f({at::ones({2})});
  c.add_(1);
  EXPECT_TRUE(f({at::ones({2})}).toTensor().equal(at::tensor({2.0f, 3.0f})));
  EXPECT_EQ(f.program().segments().size(), 2);
}

TEST(KeepConstantsTest, OneThatTheProgramWritesIntoIsAnInput) {
  const at::Tensor c = at::tensor({1.0f, 2.0f});
  CapturedFunction f = Function("c.add_(1)\n  return x * c", c);
  EXPECT_TRUE(f({at::ones({2})}).toTensor().equal(at::tensor({2.0f, 3.0f})));
  EXPECT_TRUE(f({at::ones({2})}).toTensor().equal(at::tensor({3.0f, 4.0f})));
  EXPECT_EQ(f.program().segments().size(), 1);
  EXPECT_EQ(GraphOf(f).placeholders().size(), 2);
}

TEST(KeepConstantsTest, OneThatIsReturnedStaysTheSameTensor) {
  const at::Tensor c = at::tensor({1.0f, 2.0f});
  CapturedFunction f = Function("return c, x * c", c);
  EXPECT_TRUE(f({at::ones({2})}).toTupleRef().elements()[0].toTensor().is_same(c));
  EXPECT_EQ(GraphOf(f).constants().size(), 1);
}

TEST(KeepConstantsTest, OneOfWhichAViewIsReturnedSharesItsMemory) {
  const at::Tensor c = at::tensor({1.0f, 2.0f});
  CapturedFunction f = Function("return c.view([2, 1]), x * c", c);
  EXPECT_TRUE(f({at::ones({2})}).toTupleRef().elements()[0].toTensor().is_alias_of(c));
  EXPECT_EQ(GraphOf(f).placeholders().size(), 2);
}

TEST(KeepConstantsTest, ANumberOfAConstantIsKnownUntilSomebodyWritesIntoIt) {
  const at::Tensor c = at::tensor(3);
  CapturedFunction f = Function("return x * int(c * 2)", c);
  EXPECT_EQ(f({at::ones({2})}).toTensor()[0].item<float>(), 6);
  EXPECT_EQ(f({at::ones({2})}).toTensor()[0].item<float>(), 6);
  EXPECT_EQ(f.program().segments().size(), 1);
  c.add_(1);
  EXPECT_EQ(f({at::ones({2})}).toTensor()[0].item<float>(), 8);
  EXPECT_EQ(f.program().segments().size(), 2);
}

TEST(KeepConstantsTest, ANumberOfAConstantThatWasWrittenIntoIsTakenFromTheRun) {
  const at::Tensor c = at::tensor(3);
  CapturedFunction f = Function("c.add_(1)\n  return x * int(c)", c);
  EXPECT_EQ(f({at::ones({2})}).toTensor()[0].item<float>(), 4);
  EXPECT_EQ(f({at::ones({2})}).toTensor()[0].item<float>(), 5);
  EXPECT_EQ(f.breaks()[0], "B01");
}

TEST(KeepConstantsTest, ANumberOfAConstantThatIsWrittenIntoLaterIsThatBefore) {
  const at::Tensor c = at::tensor(3);
  CapturedFunction f = Function("n = int(c)\n  c.add_(1)\n  return x * n", c);
  EXPECT_EQ(f({at::ones({2})}).toTensor()[0].item<float>(), 3);
  EXPECT_EQ(f({at::ones({2})}).toTensor()[0].item<float>(), 4);
}

TEST(KeepConstantsTest, ConstantsThatShareMemoryWithOneThatIsWrittenAreNotKnown) {
  const at::Tensor c = at::tensor({3, 4});
  CapturedFunction f("def f(x: Tensor, c: Tensor, d: Tensor):\n  c.add_(1)\n  return x * int(d)\n", {},
                     {c, c.select(0, 1)});
  EXPECT_EQ(f({at::ones({2})}).toTensor()[0].item<float>(), 5);
  EXPECT_EQ(f({at::ones({2})}).toTensor()[0].item<float>(), 6);
}

}  // namespace
}  // namespace culprit::capture
