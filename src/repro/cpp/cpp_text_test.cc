// SPDX-License-Identifier: Apache-2.0
#include "repro/cpp/cpp_text.h"

#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/lib/graph_builder.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::repro {
namespace {

using graph::PlaceholderKind;
using graph::ValueId;
using graph::ValueKind;
using testing::HasSubstr;
using testing::Not;

class CppTextTest : public testing::Test {
 protected:
  std::string Convert(const Repro& repro, const WriteOptions& options = {}) {
    const auto project = ConvertToCpp(repro, options, folder_ / "store");
    EXPECT_TRUE(project.ok()) << project.error().message;
    return project->main;
  }

  tests::TemporaryFolder folder_;
};

Repro ReluOf(at::Tensor input) {
  tests::TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  return {g.graph(), {std::move(input)}, {}};
}

TEST_F(CppTextTest, AGraphIsOneLinePerNodeAndInputsOnOneStorageShareIt) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Placeholder("new");
  const ValueId s0 = g.Placeholder("s0", PlaceholderKind::kInput, ValueKind::kInt);
  const ValueId half = g.Call("python::floordiv.int", {s0, 2});
  const ValueId mul = g.Call("aten::mul.Tensor", {x, 0.5});
  const auto sorted = g.CallAll("aten::sort", {mul});
  const ValueId view = g.Call("aten::view", {sorted[0], {half, -1}});
  g.Return({view, g.Call("aten::cat", {{mul, y}, 0}), half, nullptr});
  const at::Tensor base = at::tensor({1.5F, -2.0F, 0.1F, INFINITY});
  Repro repro{g.graph(), {base.view({2, 2}), base.narrow(0, 2, 2).view({1, 2}), 4}, {}};
  repro.header.run.grad = false;
  repro.header.run.threads = 2;
  EXPECT_THAT(Convert(repro), HasSubstr(R"(
Values Forward(const at::Tensor& x, const at::Tensor& new_1, int64_t s0) {
  const int64_t floordiv = FloorDivide(s0, 2);
  const auto mul = Call<at::Tensor>("aten::mul.Tensor", {x, Wrapped(0.5)});
  const auto [sort, sort_1] = CallAll<at::Tensor, at::Tensor>("aten::sort", {mul, -1, false});
  const auto view = Call<at::Tensor>("aten::view", {sort, List<int64_t>({floordiv, -1})});
  const auto cat = Call<at::Tensor>("aten::cat", {List<at::Tensor>({mul, new_1}), 0});
  return {view, cat, floordiv, None};
}

Values Run() {
  const c10::Storage storage0 = Memory(16, Numbers<float>(at::kFloat, {1.5F, -2.0F, 0.1F, INFINITY}));
  const at::Tensor x = On(storage0, at::kFloat, {2, 2}, {2, 1}, 0);
  const at::Tensor new_1 = On(storage0, at::kFloat, {1, 2}, {2, 1}, 2);
  const int64_t s0 = 4;
  at::set_num_threads(2);
  const c10::AutoGradMode grad_mode(false);
  return Forward(x, new_1, s0);
}
)"));
}

TEST_F(CppTextTest, AProgramHoldsOnlyTheFunctionsItCalls) {
  const std::string text = Convert(ReluOf(at::tensor({1.0F})));
  EXPECT_THAT(text, HasSubstr("\nat::Tensor On("));
  EXPECT_THAT(text, Not(testing::AnyOf(HasSubstr("FloorDivide"), HasSubstr("Sparse"), HasSubstr("STORE"))));
}

TEST_F(CppTextTest, EveryCallMakesItsInputsAnew) {
  Repro repro = ReluOf(at::tensor({1.0F}));
  EXPECT_THAT(Convert(repro), HasSubstr("  try {\n    const Values outputs = Run();\n"));
  repro.header.calls = 3;
  EXPECT_THAT(Convert(repro), HasSubstr("  try {\n    for (int call = 1; call < 3; ++call) Run();\n"
                                        "    const Values outputs = Run();\n"));
}

TEST_F(CppTextTest, NoHeaderOfCulpritAndNoHeavyOneIsIncluded) {
  EXPECT_THAT(
      Convert(ReluOf(at::tensor({1.0F}))),
      Not(testing::AnyOf(HasSubstr("torch/torch.h"), HasSubstr("ATen/ATen.h"), HasSubstr("#include \""))));
}

TEST_F(CppTextTest, ArithmeticOnSizesCannotOverflowUnnoticed) {
  tests::TestGraph g;
  const ValueId s0 = g.Placeholder("s0", PlaceholderKind::kInput, ValueKind::kInt);
  const ValueId sum = g.Call("python::add.int", {s0, 1});
  g.Return({g.Call("python::neg.int", {g.Call("python::mul.int", {sum, s0})})});
  const std::string text = Convert({g.graph(), {INT64_MAX}, {}});
  EXPECT_THAT(text, HasSubstr("  const int64_t add = Add(s0, 1);\n"
                              "  const int64_t mul = Multiply(add, s0);\n"
                              "  const int64_t neg = Subtract(0, mul);\n"));
  EXPECT_THAT(text, HasSubstr("integer overflow in "));
}

TEST_F(CppTextTest, UnusualNansAreWrittenAsBits) {
  at::Tensor nan = at::tensor({NAN, 1.0F});
  nan.view(at::kInt).narrow(0, 0, 1).add_(1);
  EXPECT_THAT(Convert(ReluOf(nan)), HasSubstr("Numbers<int64_t>(at::kInt, {2143289345, 1065353216})"));
}

TEST_F(CppTextTest, LargeTensorsGoToTheStoreBesideIt) {
  const auto project = WriteCppProject(folder_.path(), ReluOf(at::randn({1025})));
  EXPECT_THAT(project->main, testing::ContainsRegex("Memory\\(4100, Stored\\(\"[0-9a-f]{32}\", 4100\\)\\)"));
  EXPECT_EQ(tests::NamesIn(folder_.path()), (std::set<std::string>{"CMakeLists.txt", "main.cc", "store"}));
  EXPECT_EQ(tests::NamesIn(folder_ / "store/storages").size(), 1);
}

TEST_F(CppTextTest, WithoutDataNumbersComeFromASeedAndAreNamed) {
  const std::string text = Convert(ReluOf(at::tensor({1.0F, 2.0F})), {.data = WriteOptions::Data::kNone});
  EXPECT_THAT(text, HasSubstr("Memory(8, Normal(at::kFloat, 2, 1U))"));
  EXPECT_THAT(text, HasSubstr("// The data of these was not kept; they hold random numbers: x\n"));
}

TEST_F(CppTextTest, StableOutputNamesNoMachine) {
  Repro repro = ReluOf(at::tensor({1.0F}));
  repro.header.written_by = WrittenBy{"0.1.0", "2.13.0", "MKL", "AVX2"};
  repro.header.run.threads = 7;
  EXPECT_THAT(Convert(repro), HasSubstr("AVX2"));
  EXPECT_THAT(Convert(repro, {.stable_output = true}),
              Not(testing::AnyOf(HasSubstr("AVX2"), HasSubstr("set_num_threads"))));
}

TEST_F(CppTextTest, AConstantThatNumbersCannotExpressIsRefusedByName) {
  tests::TestGraph g;
  g.Return({g.Constant("c", at::tensor({1.0F}).to_sparse())});
  const auto project = ConvertToCpp({g.graph(), {}, {}}, {}, folder_ / "store");
  EXPECT_EQ(project.error().message,
            "constant 'c': a constant that is sparse, quantised or not on the CPU cannot be written as text");
}

}  // namespace
}  // namespace culprit::repro
