// SPDX-License-Identifier: Apache-2.0
//
// Recordings that are larger than the memory they may use.
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "graph/passes/extract.h"
#include "graph/run/interpreter.h"
#include "graph/run/recording.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

constexpr int64_t kElements = 1 << 20;
constexpr size_t kTensorBytes = kElements * sizeof(float);
constexpr uint64_t kLimit = 64 << 20;
constexpr size_t kCalls = 100;

/// x + 1 + 1 ..., 400 MB in all.
Graph LongSum() {
  TestGraph g;
  ValueId value = g.Placeholder("x");
  for (size_t i = 0; i < kCalls; ++i) value = g.Call("aten::add.Scalar", {value, 1});
  g.Return({value});
  return g.graph();
}

/// The most memory since the last call, in bytes.
size_t TakePeakMemory() {
  std::ifstream status("/proc/self/status");
  size_t peak = 0;
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") status >> peak;
  }
  std::ofstream("/proc/self/clear_refs") << 5;
  return peak * 1024;
}

class RecordingLimitsTest : public testing::Test {
 protected:
  Recording RecordWithin(const Graph& graph, std::vector<c10::IValue> inputs) const {
    return Record(graph, std::move(inputs), std::nullopt, RecordingLimits{kLimit, folder_.path()});
  }

  tests::TemporaryFolder folder_;
};

TEST_F(RecordingLimitsTest, MemoryStaysWithinTheLimitAndEverythingIsThere) {
  const Graph graph = LongSum();
  TakePeakMemory();
  const size_t before = TakePeakMemory();
  const Recording recording = RecordWithin(graph, {at::zeros({kElements})});
  for (uint32_t i = 0; i < kCalls; ++i) {
    const ValueId result = graph.node(NodeId(i)).results[0];
    const at::Tensor tensor = recording.ValueAt(result, i + 1)->toTensor();
    ASSERT_TRUE(SameTensor(tensor, at::full({kElements}, i + 1.0))) << i;
    recording.Unload();
  }
  // What the run holds, what is compared, and the allocator's own.
  EXPECT_LE(TakePeakMemory() - before, kLimit + 8 * kTensorBytes);
  EXPECT_THAT(tests::NamesIn(folder_.path()), testing::IsEmpty());
}

TEST_F(RecordingLimitsTest, WhatIsCutOutComputesTheSame) {
  const Graph graph = LongSum();
  const Recording recording = RecordWithin(graph, {at::zeros({kElements})});
  const Extraction extraction = *Extract(graph, {NodeId(10), NodeId(11), NodeId(90)}, recording);
  const std::vector<c10::IValue> outputs = Interpreter(extraction.graph).Run(extraction.CopyInputs());
  ASSERT_EQ(outputs.size(), 2);
  EXPECT_TRUE(SameTensor(outputs[0].toTensor(), at::full({kElements}, 12.0)));
  EXPECT_TRUE(SameTensor(outputs[1].toTensor(), at::full({kElements}, 91.0)));
}

TEST_F(RecordingLimitsTest, AnExtractionOutlivesItsRecording) {
  const Graph graph = LongSum();
  std::optional<Recording> recording = RecordWithin(graph, {at::zeros({kElements})});
  const Extraction extraction = *Extract(graph, {NodeId(5)}, *recording);
  recording.reset();
  EXPECT_TRUE(SameTensor(extraction.inputs[0].toTensor(), at::full({kElements}, 5.0)));
}

TEST_F(RecordingLimitsTest, VersionsOfMemoryThatIsWrittenIntoAreKept) {
  TestGraph g;
  const ValueId x = g.Call("aten::clone", {g.Placeholder("x")});
  for (size_t i = 0; i < kCalls; ++i) g.Call("aten::add_.Scalar", {x, 1});
  g.Return({x});
  const Recording recording = RecordWithin(g.graph(), {at::zeros({kElements})});
  for (uint32_t i = 0; i <= kCalls; ++i)
    ASSERT_TRUE(SameTensor(recording.ValueAt(x, i + 1)->toTensor(), at::full({kElements}, double(i)))) << i;
}

TEST_F(RecordingLimitsTest, AFullDiskIsAnError) {
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{kLimit, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(RecordWithin(LongSum(), {at::zeros({kElements})}), RecordingError);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
}

}  // namespace
}  // namespace culprit::graph
