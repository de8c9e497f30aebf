// SPDX-License-Identifier: Apache-2.0
//
// Random cuts through random programs full of views and mutations: whatever is not refused must compute, bit
// for bit, what the full run computed.
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "graph/ir/verify.h"
#include "graph/passes/extract.h"
#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::graph {
namespace {

using tests::TestGraph;

class RandomProgram {
 public:
  RandomProgram(uint32_t seed, bool mutations) : random_(seed), mutations_(mutations) {
    for (const char* name : {"x", "y"}) tensors_.push_back(g_.Placeholder(name));
    mean_ = g_.Placeholder("mean", PlaceholderKind::kBuffer);
    variance_ = g_.Placeholder("variance", PlaceholderKind::kBuffer);
    tensors_.push_back(g_.Constant("c", at::ones({4, 4})));
    const size_t size = 5 + Below(25);
    while (g_.graph().nodes().size() < size) AddSomething();
    g_.Return({tensors_.back(), mean_});
  }

  const Graph& graph() { return g_.graph(); }

  static std::vector<c10::IValue> Inputs() {
    const at::Tensor x = at::arange(16).to(at::kFloat).reshape({4, 4});
    return {x, x.select(0, 1).view({2, 2}), at::ones({4}), at::ones({4})};
  }

 private:
  size_t Below(size_t limit) { return random_() % limit; }
  ValueId Any() { return tensors_[Below(tensors_.size())]; }
  ValueId Sum() { return g_.Call("aten::sum", {Any()}); }
  void Add(ValueId id) { tensors_.push_back(id); }

  void AddSomething() {
    const size_t kind = Below(mutations_ ? 17 : 9);
    if (kind < 9) {
      AddFunctional(kind);
    } else {
      AddMutation(kind - 9);
    }
  }

  void AddFunctional(size_t kind) {
    switch (kind) {
      case 0:
        return Add(g_.Call("aten::sin", {Any()}));
      case 1:
        return Add(g_.Call("aten::add.Tensor", {Any(), Sum()}));
      case 2:
        return Add(g_.Call("aten::mul.Tensor", {Any(), 0.5}));
      case 3:
      case 4:
        return Add(g_.Call("aten::t", {Any()}));
      case 5:
        return Add(
            g_.Call("aten::slice.Tensor", {Any(), static_cast<int>(Below(2)), static_cast<int>(Below(2))}));
      case 6: {
        const ValueId parts = g_.Call("aten::split.Tensor", {Any(), 2});
        return Add(g_.Call("python::getitem.Tensor", {parts, 0}));
      }
      case 7:
        // A view or a copy, as the operand's strides will have it.
        return Add(g_.Call("aten::reshape", {Any(), {1, -1}}));
      default:
        return Add(g_.Call("aten::unsqueeze", {g_.Call("aten::sum.dim_IntList", {Any(), {0}}), 0}));
    }
  }

  void AddMutation(size_t kind) {
    switch (kind) {
      case 0:
        return Add(g_.Call("aten::add_.Tensor", {Any(), 1}));
      case 1:
        return Add(g_.Call("aten::mul_.Tensor", {Any(), Sum()}));
      case 2:
        return Add(g_.Call("aten::copy_", {Any(), Sum()}));
      case 3:
        g_.Call("aten::sin_", {Any()});
        return;
      case 4:
        g_.Call("aten::t_", {Any()});
        return;
      case 5:
        return Add(g_.Call("aten::relu_", {Any()}));
      case 6:
        return Add(g_.Call("aten::unsqueeze", {g_.Call("aten::neg", {mean_}), 0}));
      default:
        return AddBatchNorm();
    }
  }

  void AddBatchNorm() {
    // Of x, since libtorch divides by zero if there are no rows.
    const ValueId rows = g_.Call("aten::reshape", {g_.Call("aten::sin", {tensors_[0]}), {-1, 1}});
    const ValueId mean = g_.Call("aten::slice.Tensor", {mean_, 0, 0, 1});
    const ValueId variance = g_.Call("aten::slice.Tensor", {variance_, 0, 1, 2});
    g_.CallAll("aten::native_batch_norm", {rows, nullptr, nullptr, mean, variance, true, 0.1, 1e-5});
  }

  std::mt19937 random_;
  bool mutations_;
  TestGraph g_;
  std::vector<ValueId> tensors_;
  ValueId mean_{};
  ValueId variance_{};
};

struct Counts {
  size_t cuts = 0;
  size_t refused = 0;
  size_t compared = 0;
};

void CheckCut(const Graph& graph, const Recording& recording, const std::vector<NodeId>& keep,
              Counts& counts) {
  ++counts.cuts;
  const auto cut = Extract(graph, keep, recording);
  if (!cut.ok()) {
    ++counts.refused;
    return;
  }
  const base::Status valid = Verify(cut->graph);
  ASSERT_TRUE(valid.ok()) << valid.error().message;
  const std::vector<c10::IValue> outputs = Interpreter(cut->graph).Run(cut->CopyInputs());
  ASSERT_EQ(outputs.size(), cut->outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const ExtractedOutput& output = cut->outputs[i];
    const RecordedItem& item = recording.value(output.source).items[output.item];
    ++counts.compared;
    ASSERT_TRUE(SameTensor(outputs[i].toTensor(), recording.TensorAt(*item.object, output.as_of)))
        << graph.value(output.source).name << " at moment " << output.as_of;
  }
}

Counts CheckPrograms(bool mutations, uint32_t programs) {
  Counts counts;
  for (uint32_t seed = 0; seed < programs; ++seed) {
    RandomProgram program(seed, mutations);
    const Recording recording = Record(program.graph(), RandomProgram::Inputs());
    std::mt19937 random(seed);
    for (const uint32_t share : {1, 2, 3, 4, 5, 6, 7}) {
      std::vector<NodeId> keep;
      for (uint32_t i = 0; i < program.graph().nodes().size(); ++i) {
        if (random() % 8 < share) keep.push_back(NodeId(i));
      }
      CheckCut(program.graph(), recording, keep, counts);
      if (testing::Test::HasFatalFailure()) {
        ADD_FAILURE() << "program " << seed << ", share " << share;
        return counts;
      }
    }
  }
  return counts;
}

uint32_t Volume() {
  const char* volume = std::getenv("CULPRIT_TEST_VOLUME");
  return volume != nullptr && std::string_view(volume) == "full" ? 20000 : 500;
}

TEST(ExtractRandomTest, FunctionalProgramsAreNeverRefused) {
  const Counts counts = CheckPrograms(/*mutations=*/false, Volume());
  EXPECT_EQ(counts.refused, 0);
  EXPECT_GT(counts.compared, counts.cuts);
}

TEST(ExtractRandomTest, ProgramsFullOfMutationsGiveTheSameBits) {
  const Counts counts = CheckPrograms(/*mutations=*/true, Volume());
  RecordProperty("cuts", std::to_string(counts.cuts));
  RecordProperty("refused", std::to_string(counts.refused));
  EXPECT_GT(counts.compared, counts.cuts);
  EXPECT_GT(counts.refused, 0);
  EXPECT_LT(counts.refused, counts.cuts / 5) << "of " << counts.cuts;
}

}  // namespace
}  // namespace culprit::graph
