// SPDX-License-Identifier: Apache-2.0
//
// How much memory the tensors of a check take at their peak, beside those of a plain run.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/rand.h>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <gtest/gtest.h>

#include "backends/table.h"
#include "check/compiled_model.h"
#include "check/graph_model.h"
#include "check/same_two_models.h"
#include "tests/lib/short_graph.h"

namespace culprit::check {
namespace {

constexpr int64_t kElements = 1 << 20;
constexpr int64_t kBytes = kElements * int64_t{sizeof(float)};

/// Hears of the memory that this thread's tensors take.
class TensorMemory : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void* /*memory*/, int64_t bytes, size_t /*all*/, size_t /*reserved*/,
                         c10::Device /*device*/) override {
    peak_ = std::max(peak_, alive_ += bytes);
  }
  bool memoryProfilingEnabled() const override { return true; }
  int64_t peak() const { return peak_; }

 private:
  int64_t alive_ = 0;
  int64_t peak_ = 0;
};

int64_t PeakOf(const auto& work) {
  const auto memory = std::make_shared<TensorMemory>();
  const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, memory);
  work();
  return memory->peak();
}

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
  const int64_t plain_peak = PeakOf([&] { RunModel(eager, inputs, plain); }) + kBytes;
  const std::unique_ptr<backend::Backend> backend = *backends::Open({.name = "eager"});
  const CompiledModel compiled(*backend, graph, inputs);
  CheckOptions options = CheckOptions::Strict();
  options.fp64 = Fp64::kNever;
  CheckResult result;
  const int64_t peak = PeakOf([&] { result = SameTwoModels(eager, compiled, inputs, options); }) + kBytes;
  EXPECT_EQ(result.status, CheckStatus::kSame) << result.message;
  EXPECT_LE(peak, plain_peak + kBytes + 2 * kBytes) << plain_peak / kBytes;
}

}  // namespace
}  // namespace culprit::check
