// SPDX-License-Identifier: Apache-2.0
//
// How much memory the tensors of a check take at their peak, beside those of a plain run.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include "backends/table.h"
#include "check/compiled_model.h"
#include "check/graph_model.h"
#include "check/same_two_models.h"
#include "tests/lib/short_graph.h"
#include "tests/lib/tensor_memory.h"

namespace culprit::check {
namespace {

constexpr int64_t kElements = 1 << 20;
constexpr int64_t kBytes = kElements * int64_t{sizeof(float)};

graph::Graph Chain() {
  std::string text = "x\n";
  std::string last = "x";
  for (int i = 0; i < 30; ++i) {
    const std::string next = "v" + std::to_string(i);
    text += next + " = sin.default(" + last + ")\n";
    last = next;
  }
  return tests::ShortGraph(text + "return (" + last + ",)");
}

// The plain run takes its inputs, too; both sides have one output.
TEST(CheckMemoryTest, IsThatOfAPlainRunAndInputsAndOutputs) {
  const graph::Graph graph = Chain();
  const std::vector<c10::IValue> inputs = {at::rand({kElements})};
  const GraphModel eager(graph);
  const RunOptions plain{.only_forward = true};
  const int64_t plain_peak = tests::PeakTensorBytes([&] { RunModel(eager, inputs, plain); }) + kBytes;
  const std::unique_ptr<backend::Backend> backend = *backends::Open({.name = "eager"});
  const CompiledModel compiled(*backend, graph, inputs);
  CheckOptions options = CheckOptions::Strict();
  options.fp64 = Fp64::kNever;
  CheckResult result;
  const int64_t peak =
      tests::PeakTensorBytes([&] { result = SameTwoModels(eager, compiled, inputs, options); }) + kBytes;
  EXPECT_EQ(result.status, CheckStatus::kSame) << result.message;
  EXPECT_LE(peak, plain_peak + kBytes + 2 * kBytes) << plain_peak / kBytes;
}

}  // namespace
}  // namespace culprit::check
