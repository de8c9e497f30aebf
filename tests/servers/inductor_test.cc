// SPDX-License-Identifier: Apache-2.0
//
// Real bugs of Inductor, as graphs that AOTAutograd made of the programs in their threads.
#include <ATen/ops/arange.h>
#include <ATen/ops/relu.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <span>
#include <sstream>

#include "backends/table.h"
#include "check/query/query_task.h"
#include "repro/header/inductor_config.h"
#include "repro/read_repro.h"
#include "tests/lib/fixtures.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/volume.h"
#include "tests/question/query_zygote.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using namespace std::chrono_literals;

struct Bug {
  const char* file;
  const char* signature;
  /// Some are in passes that come before what gets captured graphs.
  const char* graphs = "below";
};

constexpr Bug kBugs[] = {
    {"argmin_transposed", "compare: wrong values in outputs[0]"},
    {"argmin_of_ties", "compare: wrong values in outputs[0]"},
    {"floor_divide", "compare: wrong values in outputs[0]"},
    {"cumsum_0d",
     "compile: exception torch._inductor.exc.InductorError: IndexError: tuple index out of range"},
    {"copy_after_mutation", "compare: mutated input in inputs[1]"},
    {"any_uint8", "compare: wrong dtype in outputs[0]"},
    {"max_int8", "compare: wrong values in outputs[0]"},
    {"remainder_inf", "compare: NaN in outputs[0]"},
    {"abs_widened", "compare: wrong values in outputs[0]"},
    {"slice_scatter_fill", "compare: wrong values in outputs[0]"},
    {"avg_pool_ceil", "compare: wrong values in outputs[0]"},
    {"half_prod", "compile: exception torch._inductor.exc.InductorError: CppCompileError: C++ compile error"},
    {"int8_bmm", "compare: wrong dtype in outputs[0]"},
    {"sum_half_bool",
     "compile: exception torch._inductor.exc.InductorError: CppCompileError: C++ compile error"},
    {"prod_bool", "compile: exception torch._inductor.exc.InductorError: AssertionError"},
    {"abs_uint8", "compare: wrong values in outputs[0]"},
    {"min_uint8", "compare: wrong values in outputs[0]"},
    {"amax_int8", "compare: wrong values in outputs[0]"},
    {"randperm_index", "compile: exception RuntimeError: Not all inputs to pattern found", "aot"},
};

struct Control {
  const char* file;
  const char* answer = "passes";
};

/// The first seven are what `make test` asks about, one of each sort.
constexpr Control kControls[] = {
    {"neg_zero_power"},
    {"two_rands"},
    {"fp16_chain"},
    {"bf16_softmax"},
    {"sum_100k"},
    {"ill_conditioned_inverse"},
    {"uint16_add", "invalid: eager itself failed: forward: \"add_stub\" not implemented for 'UInt16'"},
    {"dropout"},
    {"half_overflow"},
    {"bernoulli"},
    {"randint"},
    {"bf16_layer_norm"},
    {"bf16_chain"},
    {"cumsum_100k"},
    {"mean_half"},
    {"variance_of_large"},
    {"ill_conditioned_solve"},
    {"int_division_by_zero", "invalid: eager itself failed: forward: ZeroDivisionError"},
    {"negative_to_uint8"},
    {"empty"},
};

repro::Repro Open(const std::string& file, const std::string& backend) {
  const std::string path = "tests/fixtures/inductor/" + file + ".py";
  repro::Repro repro = repro::LoadRepro(*repro::OpenRepro(path, ReadFixture(path)))->repro;
  repro.header.backend = backend;
  repro.header.accuracy = repro::Accuracy::kStrict;
  return repro;
}

check::Finding FindingOf(const repro::Repro& repro) {
  check::IsolatedQuery query(QueryZygote(), {.wall_time = 120s});
  return *query.Ask(repro);
}

std::string Ask(const repro::Repro& repro) {
  const check::Finding finding = FindingOf(repro);
  if (!finding.invalid.empty()) return "invalid: " + finding.invalid;
  return finding.failure ? finding.failure->ToString() : "passes";
}

std::string Ask(const std::string& file, const std::string& backend) {
  return Ask(Open(file, backend));
}

TEST(InductorTest, RealBugsAreSeen) {
  const size_t count = FullVolume() ? std::size(kBugs) : 8;
  for (const Bug& bug : std::span(kBugs).first(count))
    EXPECT_THAT(Ask(bug.file, fmt::format("inductor:graphs={}", bug.graphs)), StartsWith(bug.signature))
        << bug.file;
}

TEST(InductorTest, WhatIsNoBugIsNotAccused) {
  constexpr size_t kSorts = 7;
  const size_t count = FullVolume() ? std::size(kControls) : kSorts;
  for (const Control& control : std::span(kControls).first(count)) {
    for (const char* graphs : {"below", "aot", "captured"}) {
      if (!FullVolume() && graphs != std::string_view("below")) continue;
      EXPECT_EQ(Ask(fmt::format("controls/{}", control.file), fmt::format("inductor:graphs={}", graphs)),
                control.answer)
          << control.file << " " << graphs;
    }
  }
}

TEST(InductorTest, AKnownDifferenceIsShownWhereThereIsOne) {
  const auto is_shown = testing::Contains(StartsWith("known difference: aten::pow of -0.0"));
  repro::Repro repro = Open("controls/neg_zero_power", "inductor:graphs=below");
  const check::Finding finding = FindingOf(repro);
  EXPECT_TRUE(finding.passes());
  EXPECT_THAT(finding.warnings, is_shown);
  if (!FullVolume()) return;
  repro.inputs.at(0) = repro.inputs.at(0).toTensor().clone().fill_(4);
  EXPECT_THAT(FindingOf(repro).warnings, testing::Not(is_shown));
}

TEST(InductorTest, WhatFilesMaySetIsThereAndHarmless) {
  const backend::Description description = *backends::Describe("inductor");
  std::istringstream names(repro::HarmlessConfigNames());
  for (std::string name; names >> name;) {
    const auto option = std::ranges::find(description.options, name, &backend::OptionDescription::name);
    ASSERT_NE(option, description.options.end()) << name;
    EXPECT_EQ(option->from_file, backend::FromFile::kUse) << name;
  }
}

TEST(InductorTest, AnOptionThatIsMisspeltIsCorrected) {
  EXPECT_THAT(Ask("max_int8", "inductor:graphs=below,cpp.simdlne=1"),
              HasSubstr("did you mean 'cpp.simdlen'?"));
}

TEST(InductorTest, OptionsReachTheCompiler) {
  EXPECT_EQ(Ask("max_int8", "inductor:graphs=below,cpp.simdlen=1"), "passes")
      << "the bug is in vectorised code";
}

TEST(InductorTest, CodeIsMadeForTheRecordedVectorInstructions) {
  repro::Repro repro = Open("max_int8", "inductor:graphs=below");
  repro.header.written_by = {.cpu = "DEFAULT"};
  EXPECT_EQ(Ask(repro), "passes") << "the bug is in vectorised code";
}

/// As PyTorch wrote it, with `tracing_mode='symbolic'`; the index is printed as Python: ks1**2*x0 + x1.
TEST(InductorTest, SizesThatAreSymbolsInAFileOfPyTorchAreSymbolsToTheCompiler) {
  repro::Repro repro = Open("argmin_dynamic", "inductor:graphs=below");
  EXPECT_EQ(Ask(repro),
            "compile: exception torch._inductor.exc.InductorError: CppCompileError: C++ compile error");
  for (size_t i = 0; i < repro.inputs.size(); ++i) repro.graph.SetSymbols(i, {});
  EXPECT_EQ(Ask(repro), "passes");
}

/// relu(x) * size(x), for all sizes of x.
TEST(InductorTest, WhatIsCompiledForSymbolsTakesOtherSizes) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::mul.Scalar", {g.Call("aten::relu", {x}), g.Call("aten::sym_size.int", {x, 0})})});
  graph::Graph graph = g.graph();
  graph.SetSymbols(0, {"s0", ""});
  const auto backend = backends::Open(*backend::ParseSpec("inductor:graphs=below"));
  ASSERT_TRUE(backend.ok()) << backend.error().Render();
  ASSERT_TRUE((*backend)->takes_symbols());
  const auto input = [](int64_t rows) { return at::arange(rows * 3, at::kFloat).view({rows, 3}).sub(4); };
  const auto compiled = (*backend)->Compile(graph, {input(4)});
  for (const int64_t rows : {4, 7, 2, 1, 300}) {
    backend::Values inputs = {input(rows)};
    const at::Tensor result = compiled->Call(inputs).at(0).toTensor();
    EXPECT_TRUE(result.equal(at::relu(input(rows)).mul(rows))) << rows;
  }
}

TEST(InductorTest, OptionsThatActAboveAutogradAreRefusedBelowIt) {
  for (const char* graphs : {"below", "aot"}) {
    EXPECT_THAT(Ask("max_int8", fmt::format("inductor:graphs={},freezing=1", graphs)),
                HasSubstr("option 'freezing' acts before autograd"));
  }
}

TEST(InductorTest, AWrongGradientOfTheWholePipelineIsSeen) {
  EXPECT_EQ(Ask("captured/avg_pool_ceil", "inductor:graphs=captured"),
            "compare: wrong gradient in gradients.inputs[0] (call 1)");
}

struct Part {
  const char* file;
  const char* signature;
};

constexpr Part kParts[] = {
    {"cumsum_0d",
     "compile: exception torch._inductor.exc.InductorError: IndexError: tuple index out of range [in the "
     "forward compiler]"},
    {"half_prod",
     "compile: exception torch._inductor.exc.InductorError: CppCompileError: C++ compile error [in the "
     "forward compiler]"},
    {"sum_half_bool",
     "compile: exception torch._inductor.exc.InductorError: CppCompileError: C++ compile error [in the "
     "forward compiler]"},
    {"prod_bool",
     "compile: exception torch._inductor.exc.InductorError: AssertionError: [in the forward compiler]"},
    {"randperm_index", "[in passes over the joint graph]"},
};

TEST(InductorTest, ExceptionsOfTheWholePipelineNameTheirPart) {
  const size_t count = FullVolume() ? std::size(kParts) : 1;
  for (const Part& part : std::span(kParts).first(count))
    EXPECT_THAT(Ask(part.file, "inductor:graphs=captured"), HasSubstr(part.signature)) << part.file;
}

/// Graphs from below autograd may stand above it, too.
TEST(InductorTest, RealBugsAreSeenInTheWholePipeline) {
  const size_t count = FullVolume() ? std::size(kBugs) : 1;
  for (const Bug& bug : std::span(kBugs).first(count))
    EXPECT_THAT(Ask(bug.file, "inductor:graphs=captured"), StartsWith(bug.signature)) << bug.file;
}

}  // namespace
}  // namespace culprit::tests
