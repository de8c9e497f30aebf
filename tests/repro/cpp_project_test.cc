// SPDX-License-Identifier: Apache-2.0
//
// Builds the C++ projects of repros and compares what they print with what Culprit computes.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/quantize_per_channel.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "graph/run/interpreter.h"
#include "graph/tensors/gradness.h"
#include "repro/cpp/cpp_text.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/output_lines.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::repro {
namespace {

using graph::PlaceholderKind;
using graph::ValueId;
using graph::ValueKind;

// Two inputs on one storage, of which one is written; a leaf, and a computed value that is written too.
Repro AliasingInputs() {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId y = g.Placeholder("y");
  const ValueId weight = g.Placeholder("template", PlaceholderKind::kParameter);
  const ValueId scale = g.Placeholder("scale");
  const ValueId absent = g.Placeholder("absent");
  const ValueId written = g.Call("aten::add_.Tensor", {x, 0.1});
  const ValueId mm = g.Call("aten::mm", {written, y});
  const ValueId relu = g.Call("aten::relu", {mm});
  const ValueId doubled = g.Call("aten::mul_.Tensor", {scale, 2.0});
  const ValueId scaled =
      g.Call("aten::mul.Tensor", {g.Call("aten::linear", {relu, weight, absent}), doubled});
  g.Return({mm, relu, scaled, y, g.Constant("c", at::tensor({-NAN, INFINITY, 1e-30F, -0.0F})), nullptr});
  const at::Tensor base = at::randn({12});
  return {g.graph(),
          {base.narrow(0, 2, 6).view({2, 3}), base.as_strided({3, 2}, {1, 3}, 6),
           at::randn({4, 2}).set_requires_grad(true),
           graph::WithGradness(at::randn({2, 4}), /*requires_grad=*/true, /*is_leaf=*/false), c10::IValue()},
          {}};
}

Repro SizesAndIndices() {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId places = g.Placeholder("places");
  const ValueId s0 = g.Placeholder("s0", PlaceholderKind::kInput, ValueKind::kInt);
  const ValueId rows = g.Call("aten::sym_size.int", {x, 0});
  const ValueId half = g.Call("python::floordiv.int", {g.Call("python::neg.int", {rows}), 4});
  const ValueId rest = g.Call("python::mod.int", {half, 5});
  const ValueId ratio = g.Call("python::truediv.int", {rows, s0});
  const ValueId split = g.Call("aten::split.Tensor", {x, s0});
  const ValueId last = g.Call("python::getitem.Tensor", {split, -1});
  const ValueId picked = g.Call("aten::index.Tensor", {x, {nullptr, places}});
  const ValueId slice = g.Call("aten::slice.Tensor", {x, 0, half, INT64_MAX, 2});
  const ValueId full = g.Call("aten::full", {{rest, s0}, ratio}, {{"dtype", at::kHalf}});
  const ValueId shifted = g.Call("aten::add.Tensor", {x, s0});
  const ValueId cat = g.Call("aten::cat", {{picked, shifted}, 1});
  const ValueId bits = g.Call("aten::to.dtype", {g.Call("aten::gt.Scalar", {x, 7}), at::kByte});
  g.Return({half, rest, ratio, last, picked, slice, full, cat, bits, split});
  return {g.graph(),
          {at::arange(35).view({7, 5}).t().contiguous().t(), at::tensor({4, 0, -1}, at::kLong), 3},
          {}};
}

Repro SparseAndQuantised() {
  tests::TestGraph g;
  const ValueId sparse = g.Placeholder("sparse");
  const ValueId dense = g.Placeholder("dense");
  const ValueId per_tensor = g.Placeholder("per_tensor");
  const ValueId per_channel = g.Placeholder("per_channel");
  const ValueId product = g.Call("aten::mm", {sparse, dense});
  const ValueId sum = g.Call("aten::add.Tensor", {sparse, sparse});
  g.Return(
      {product, sum, g.Call("aten::relu", {per_tensor}), g.Call("aten::dequantize.self", {per_channel})});
  const at::Tensor coordinates = at::tensor({0, 1, 1, 2, 0, 2}, at::kLong).view({2, 3});
  return {g.graph(),
          {at::sparse_coo_tensor(coordinates, at::tensor({1.5F, -2.0F, 3.25F}), {2, 3}).coalesce(),
           at::randn({3, 2}), at::quantize_per_tensor(at::randn({2, 5}), 0.05, 10, at::kQUInt8),
           at::quantize_per_channel(at::randn({2, 3}), at::tensor({0.1, 0.2}, at::kDouble),
                                    at::tensor({1, -3}, at::kLong), 0, at::kQInt8)},
          {}};
}

Repro RandomOperators() {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId conjugate = g.Placeholder("conjugate");
  const ValueId generator = g.Placeholder("generator", PlaceholderKind::kInput, ValueKind::kGenerator);
  const ValueId noise = g.Call("aten::rand", {{3, 4}});
  const ValueId drop = g.Call("aten::dropout", {x, 0.5, true});
  const ValueId coins = g.Call("aten::bernoulli", {noise}, {{"generator", generator}});
  g.Return({noise, drop, coins, g.Call("aten::mul.Tensor", {conjugate, 2.5})});
  Repro repro{g.graph(),
              {at::randn({20}), at::randn({6}, at::kComplexFloat).conj(), at::detail::createCPUGenerator(77)},
              {}};
  repro.header.run = {.grad = false, .default_dtype = at::kDouble, .deterministic = true, .seed = 41};
  at::Generator used = at::detail::createCPUGenerator(41);
  at::randn({5}, used);
  const at::Tensor state = used.get_state();
  repro.header.run.generator_state = {static_cast<const char*>(state.data_ptr()), state.nbytes()};
  return repro;
}

Repro BatchNorm() {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId mean = g.Placeholder("mean", PlaceholderKind::kBuffer);
  const ValueId variance = g.Placeholder("variance", PlaceholderKind::kBuffer);
  const ValueId weight = g.Constant("weight", at::randn({40, 50}).t());
  const auto norm =
      g.CallAll("aten::native_batch_norm", {x, nullptr, nullptr, mean, variance, true, 0.1, 1e-5});
  const ValueId flat = g.Call("aten::view", {norm[0], {-1, 50}});
  const auto sorted = g.CallAll("aten::sort", {g.Call("aten::mm", {flat, weight})});
  g.Return({norm[0], norm[1], norm[2], mean, sorted[0], sorted[1]});
  Repro repro{g.graph(), {at::randn({4, 5, 10, 10}), at::full({5}, 0.5), at::ones({5})}, {}};
  repro.header.run.inference = true;
  repro.header.run.autocast = Autocast{};
  return repro;
}

using MakeRepro = Repro (*)();
constexpr MakeRepro kRepros[] = {AliasingInputs, SizesAndIndices, SparseAndQuantised, RandomOperators,
                                 BatchNorm};

std::string BuildAndRun(const std::string& folder) {
  const std::string build = folder + "/build";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{CULPRIT_CMAKE, "-S", folder, "-B", build, "-DTORCH=" CULPRIT_TORCH},
        {CULPRIT_CMAKE, "--build", build}}) {
    const tests::ProgramRun run = tests::RunProgram(command);
    if (run.exit_code != 0) return run.out + run.err;
  }
  // libtorch warns on standard error of what it will not have one day.
  const tests::ProgramRun run = tests::RunProgram({build + "/repro"});
  return run.exit_code == 0 ? run.out : run.out + run.err;
}

class CppProjectTest : public testing::TestWithParam<size_t> {};

TEST_P(CppProjectTest, PrintsWhatCulpritComputes) {
  const tests::TemporaryFolder folder;
  Repro repro = kRepros[GetParam()]();
  repro.header.run.threads = 1;
  const auto project = WriteCppProject(folder.path(), repro);
  ASSERT_TRUE(project.ok()) << project.error().Render();
  const RunScope scope(repro.header.run);
  const std::string expected = tests::OutputLines(graph::Interpreter(repro.graph).Run(repro.inputs));
  EXPECT_EQ(BuildAndRun(folder.path()), expected) << project->main;
}

// Each compiles for many seconds.
INSTANTIATE_TEST_SUITE_P(Repros, CppProjectTest,
                         testing::Range<size_t>(0, tests::Volume(1, std::size(kRepros))));

}  // namespace
}  // namespace culprit::repro
