// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/generate.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/lib/generated_kernels.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Body;
using loops::ExprId;
using loops::Op;
using testing::HasSubstr;
using testing::Not;

const Formula kExponential = [](Body& body, const std::vector<ExprId>& of) {
  return body.Apply(Op::kExp, {of[0]});
};

/// One that libtorch calls SLEEF for.
const Formula kExponentialMinusOne = [](Body& body, const std::vector<ExprId>& of) {
  return body.Apply(Op::kExpm1, {of[0]});
};

std::string AssemblyFor(const Processor& processor, const loops::Kernel& kernel, const Options& options) {
  Listing listing;
  GenerateFor(processor, kernel, options, &listing);
  return listing.assembly;
}

TEST(Generate, SameKernelIsSameObject) {
  const loops::Kernel kernel = Pointwise({at::kFloat}, at::kFloat, 1000, kExponential);
  for (const Options& options : AllOptions()) EXPECT_EQ(Generate(kernel, options), Generate(kernel, options));
}

TEST(Generate, ListsCodeForPeople) {
  const loops::Kernel kernel = Pointwise({at::kFloat}, at::kFloat, 1000, kExponential);
  Listing listing;
  Generate(kernel, {Math::kExact}, &listing);
  EXPECT_THAT(listing.ir, HasSubstr("define void @culprit_kernel"));
  EXPECT_THAT(listing.assembly, HasSubstr("vmsExp"));
}

TEST(Generate, UsesTheRegistersOfTheProcessor) {
  const loops::Kernel kernel = Pointwise({at::kFloat}, at::kFloat, 1000, kExponential);
  const std::string wide = AssemblyFor(Named("znver4"), kernel, {});
  EXPECT_THAT(wide, HasSubstr("%zmm"));
  const std::string middle = AssemblyFor(Named("znver3"), kernel, {});
  EXPECT_THAT(middle, HasSubstr("%ymm"));
  EXPECT_THAT(middle, Not(HasSubstr("%zmm")));
  const std::string narrow = AssemblyFor(Named("x86-64"), kernel, {});
  EXPECT_THAT(narrow, Not(HasSubstr("%ymm")));
  EXPECT_THAT(narrow, HasSubstr("expf@PLT"));
}

TEST(Generate, CallsSleefForTheRegistersThatLibtorchHasItFor) {
  const loops::Kernel kernel = Pointwise({at::kFloat}, at::kFloat, 1000, kExponentialMinusOne);
  const auto exact = [&](const char* processor) {
    return AssemblyFor(Named(processor), kernel, {Math::kExact});
  };
  EXPECT_THAT(exact("znver4"), HasSubstr("Sleef_expm1f16_u10"));
  EXPECT_THAT(exact("znver3"), HasSubstr("Sleef_expm1f8_u10"));
  EXPECT_THAT(exact("x86-64"), AllOf(HasSubstr("expm1f@PLT"), Not(HasSubstr("Sleef"))));
  EXPECT_THAT(AssemblyFor(Named("znver4"), kernel, {Math::kExact, Route::kLlvmO3}),
              HasSubstr("Sleef_expm1f8_u10"));
}

TEST(Generate, UsesNoWiderRegistersThanItMay) {
  const loops::Kernel kernel = Pointwise({at::kFloat}, at::kFloat, 1000, kExponential);
  const auto assembly = [&](unsigned bits) {
    Listing listing;
    Generate(kernel, {.most_register_bits = bits}, &listing);
    return listing.assembly;
  };
  EXPECT_THAT(assembly(256), Not(HasSubstr("%zmm")));
  EXPECT_THAT(assembly(128), AllOf(HasSubstr("%xmm"), Not(HasSubstr("%ymm")), Not(HasSubstr("%zmm"))));
  EXPECT_NE(TargetText({.most_register_bits = 128}), TargetText({}));
}

TEST(Generate, RegistersThatAreKeptOnTheStackLieInOneLine) {
  const loops::Kernel kernel = Pointwise({at::kFloat}, at::kFloat, 1000, kExponential);
  EXPECT_THAT(AssemblyFor(Named("znver3"), kernel, {}), HasSubstr("andq\t$-64, %rsp"));
}

TEST(Generate, TheLargerOfANumberAndAConstantIsOneInstruction) {
  for (const Op op : {Op::kMax, Op::kMin}) {
    const auto limited = [op](Body& body, const std::vector<ExprId>& of) {
      return body.Apply(op, {of[0], body.Constant(0.0, at::kFloat)});
    };
    const std::string assembly =
        AssemblyFor(Named("znver3"), Pointwise({at::kFloat}, at::kFloat, 1000, limited), {});
    EXPECT_THAT(assembly, AllOf(Not(HasSubstr("cmpunord")), Not(HasSubstr("blendv"))));
    const at::Tensor x = at::arange(-20, 20, at::kFloat);
    x[3] = std::numeric_limits<float>::quiet_NaN();
    for (const Options& options : AllOptions()) {
      const at::Tensor y = Computed({x}, at::kFloat, limited, options);
      EXPECT_TRUE(at::allclose(y, op == Op::kMax ? x.clamp_min(0) : x.clamp_max(0), 0, 0, /*equal_nan=*/true))
          << TextOf(options);
    }
  }
}

TEST(Generate, OldProcessorsComputeTheSame) {
  at::manual_seed(1);
  const Processor old = Named("x86-64");
  for (const Math math : {Math::kFast, Math::kExact}) {
    const at::Tensor x = at::randn({1003});
    EXPECT_TRUE(at::allclose(Computed({x}, at::kFloat, kExponential, {math}, old), at::exp(x), 1e-6, 0));
    for (const at::ScalarType dtype : {at::kBool, at::kByte, at::kShort, at::kInt, at::kLong, at::kDouble}) {
      const at::Tensor converted = Computed(
          {x}, dtype, [&](Body& body, const std::vector<ExprId>& of) { return body.Cast(of[0], dtype); },
          {math}, old);
      EXPECT_TRUE(converted.equal(x.to(dtype))) << loops::NameOf(dtype);
    }
  }
}

// Written once for each use, there would be 2^40 of them.
TEST(Generate, WritesStepsOfLanesOnce) {
  const auto shifted = [](Body& body, const std::vector<ExprId>& of) {
    ExprId doubled = body.IndexOf(0);
    for (int i = 0; i < 40; ++i) doubled = body.Apply(Op::kAdd, {doubled, doubled});
    return body.Apply(Op::kAdd, {doubled, of[0]});
  };
  const at::Tensor x = at::arange(1003);
  EXPECT_TRUE(Computed({x}, at::kLong, shifted).equal(x * ((int64_t{1} << 40) + 1)));
}

TEST(Generate, RunsOnSeveralThreads) {
  const loops::Kernel kernel = Pointwise({at::kFloat}, at::kFloat, 1000, kExponential);
  const std::string expected = Generate(kernel, {});
  std::vector<std::string> objects(4);
  std::vector<std::thread> threads;
  for (std::string& object : objects) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) object = Generate(kernel, {});
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& object : objects) EXPECT_EQ(object, expected);
}

TEST(Generate, TargetTextTellsOptionsApart) {
  std::set<std::string> texts;
  for (const Options& options : AllOptions()) {
    texts.insert(TargetText(options));
    EXPECT_THAT(TargetText(options), Not(HasSubstr("\n")));
    EXPECT_THAT(TargetText(options), HasSubstr("llvm 19."));
  }
  EXPECT_EQ(texts.size(), AllOptions().size());
}

}  // namespace
}  // namespace culprit::compiler::codegen
