// SPDX-License-Identifier: Apache-2.0
//
// What programs compute of the numbers that arange counts looks like places in memory, and is none.
#include <ATen/ops/randint.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/pipeline/pipeline.h"
#include "graph/run/interpreter.h"
#include "tests/lib/compile_short.h"

namespace culprit::compiler::pipeline {
namespace {

using backend::Values;

void ExpectEager(const std::string& text, const Values& inputs, bool symbolic) {
  Options options = tests::WithoutCache();
  options.symbolic = symbolic;
  Values given = inputs;
  const Values found = tests::CompileShort(text, inputs, options)->Run(given);
  const Values expected = graph::Interpreter(tests::ShortGraph(text)).Run(inputs);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(found[i].toTensor().equal(expected[i].toTensor())) << "output " << i;
}

TEST(PipelineIntegersTest, RandomNumbersFromProductsThatWrapAreEagers) {
  const std::string text =
      "x\na = arange.default(64)\nb = mul.Tensor(a, 6364136223846793005)\n"
      "c = add.Tensor(b, 1442695040888963407)\nd = remainder.Scalar(c, 1000)\n"
      "e = div.Scalar_mode(b, 4611686018427387904, rounding_mode='floor')\nf = add.Tensor(d, x)\n"
      "g = add.Tensor(e, x)\nreturn (f, g)";
  for (const bool symbolic : {false, true}) ExpectEager(text, {at::randint(5, {64})}, symbolic);
}

// 100 * 2^70 in the end. What looks at both operands of a sum each time looks 2^70 times.
TEST(PipelineIntegersTest, NumbersThatAreDoubledOftenAreCompiledAtOnce) {
  std::string text = "x\na0 = arange.default(100)\n";
  for (int i = 0; i < 70; ++i) text += fmt::format("a{} = add.Tensor(a{}, a{})\n", i + 1, i, i);
  text += "r = remainder.Scalar(a70, 7)\ns = remainder.Scalar(a40, 7)\ny = add.Tensor(r, x)\n";
  text += "z = add.Tensor(s, x)\nreturn (y, z)";
  for (const bool symbolic : {false, true}) ExpectEager(text, {at::zeros({100}, at::kLong)}, symbolic);
}

TEST(PipelineIntegersTest, DivisionsThatSeveralReadAreComputedOnceInEveryType) {
  const std::string text =
      "x\na = mul.Tensor(x, 3)\nb = remainder.Scalar(a, 7)\nc = neg.default(b)\n"
      "m = amax.default(c, [0])\nn = amax.default(c, [1])\nreturn (m, n)";
  for (const at::ScalarType dtype : {at::kInt, at::kLong}) {
    const auto executable = tests::CompileShort(text, {at::randint(50, {64, 48}, dtype)});
    int64_t divisions = 0;
    for (const loops::Kernel& kernel : executable->schedule().kernels)
      divisions +=
          std::ranges::count(kernel.body.expressions(), loops::Op::kRemainder, &loops::Expression::op);
    EXPECT_EQ(divisions, 1) << loops::NameOf(dtype);
  }
}

}  // namespace
}  // namespace culprit::compiler::pipeline
