// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "compiler/jit/linker.h"
#include "tests/lib/constant_kernel.h"

namespace culprit::compiler::jit {
namespace {

using loops::Op;
using loops::Type;
using testing::ElementsAre;
using testing::HasSubstr;

/// out[i] = f(... f(in[i])), `times` times.
loops::Kernel Chain(Op f, int times, int64_t size) {
  loops::Kernel kernel;
  kernel.buffers = {{.dtype = at::kFloat}, {.dtype = at::kFloat, .is_written = true}};
  kernel.extents = {kernel.body.Constant(size, Type::Long)};
  kernel.outer = 1;
  const loops::ExprId index = kernel.body.IndexOf(0);
  loops::ExprId value = kernel.body.Load(0, Type::Float, {index});
  for (int i = 0; i < times; ++i) value = kernel.body.Apply(f, {value});
  kernel.stages = {{.stores = {{.buffer = 1, .index = index, .value = value}}}};
  loops::Verify(kernel);
  return kernel;
}

std::vector<float> Outputs(const LoadedKernel& loaded, const loops::Kernel& kernel,
                           std::vector<float> input) {
  std::vector<float> output(input.size());
  void* const buffers[] = {input.data(), output.data()};
  loaded.entry()(buffers, kernel.numbers.data(), 0, kernel.Pieces());
  return output;
}

constexpr codegen::Options kExact = {.math = codegen::Math::kExact};

TEST(KernelsTest, GeneratedCodeFindsTheFunctionsThatLibtorchCalls) {
  const std::vector<loops::Kernel> kernels = {Chain(Op::kExp, 1, 100), Chain(Op::kExpm1, 1, 100)};
  ASSERT_THAT(codegen::Generate(kernels[0], kExact), HasSubstr("vmsExp"));
  ASSERT_THAT(codegen::Generate(kernels[1], kExact), HasSubstr("Sleef_expm1"));
  const auto loaded = Load(kernels, kExact, {});
  const std::vector<float> input(100, 1.5F);
  for (const float value : Outputs(*loaded[0], kernels[0], input)) EXPECT_FLOAT_EQ(value, std::exp(1.5F));
  for (const float value : Outputs(*loaded[1], kernels[1], input)) EXPECT_FLOAT_EQ(value, std::expm1(1.5F));
}

TEST(KernelsTest, AFunctionThatTheProcessDoesNotHaveIsAnErrorWithItsName) {
  std::string object = codegen::Generate(Chain(Op::kExpm1, 1, 100), kExact);
  constexpr std::string_view kThere = "Sleef_";
  for (size_t i = object.find(kThere); i != std::string::npos; i = object.find(kThere, i)) {
    object.replace(i, kThere.size(), "Schla_");
  }
  try {
    Link(object);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot load a kernel: Symbols not found: [ Schla_"));
  }
}

TEST(KernelsTest, AllOfTheProcessShareWhatIsInMemory) {
  const std::vector<loops::Kernel> kernels = {tests::ConstantKernel(12345)};
  CacheCounts counts;
  const auto first = Load(kernels, {}, {}, &counts);
  const auto second = Load(kernels, {}, {}, &counts);
  EXPECT_EQ(first, second);
  EXPECT_EQ(counts.generated, 1u);
  EXPECT_EQ(counts.from_memory, 1u);
}

TEST(KernelsTest, TheSameCodeServesOtherNumbers) {
  loops::Kernel kernel = Chain(Op::kNeg, 1, 100);
  kernel.extents = {kernel.body.Add({.op = Op::kSize, .type = Type::Long, .integer = 0})};
  kernel.numbers = {3};
  loops::Kernel other = kernel;
  other.numbers = {2};
  const std::vector<loops::Kernel> kernels = {kernel, other};
  const auto loaded = Load(kernels, {}, {});
  EXPECT_EQ(loaded[0], loaded[1]);
  EXPECT_THAT(Outputs(*loaded[0], kernel, {1, 1, 1}), ElementsAre(-1, -1, -1));
  EXPECT_THAT(Outputs(*loaded[1], other, {1, 1, 1}), ElementsAre(-1, -1, 0));
}

}  // namespace
}  // namespace culprit::compiler::jit
