// SPDX-License-Identifier: Apache-2.0
//
// How much memory the tensors of a check take at their peak, beside those of a plain run: once more the
// inputs, and what both sides give back.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/rand.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/table.h"
#include "check/query/query.h"
#include "check/run/graph_model.h"
#include "graph/run/interpreter.h"
#include "tests/lib/short_graph.h"
#include "tests/lib/tensor_memory.h"

namespace culprit::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int64_t kElements = 1 << 20;
constexpr int64_t kBytes = kElements * int64_t{sizeof(float)};

/// 30 operators on one tensor.
std::string Chain() {
  std::string text = "x\n";
  std::string last = "x";
  for (int i = 0; i < 30; ++i) {
    const std::string next = "v" + std::to_string(i);
    text += next + " = sin.default(" + last + ")\n";
    last = next;
  }
  return text + "return (" + last + ",)";
}

/// Adds something to its outputs, and takes no more memory than eager for it.
class Wrong : public backend::Backend {
 public:
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const backend::Values&) override {
    return std::make_unique<WrongCompiled>(graph);
  }

 private:
  class WrongCompiled : public backend::Compiled {
   public:
    explicit WrongCompiled(const graph::Graph& graph) : interpreter_(graph) {}
    backend::Values Call(backend::Values& inputs) override {
      backend::Values outputs = interpreter_.Run(std::move(inputs));
      const at::NoGradGuard no_grad;
      outputs.at(0).toTensor().add_(0.5);
      return outputs;
    }

   private:
    graph::Interpreter interpreter_;
  };
};

class CheckMemoryTest : public testing::Test {
 protected:
  /// `outputs` in tensors.
  void Check(const std::string& text, std::vector<c10::IValue> inputs, int64_t outputs,
             backend::Backend& backend) {
    repro::Repro repro{tests::ShortGraph(text), std::move(inputs)};
    repro.header.accuracy = repro::Accuracy::kStrict;
    // So little that float64 gets what the rest of the check leaves, and no more.
    repro.header.settings[repro::kMemoryLimitSetting] = "1";
    const auto input_bytes = static_cast<int64_t>(repro.inputs.size()) * kBytes;
    const int64_t plain = tests::PeakTensorBytes([&] { RunPlain(repro); }) + input_bytes;
    const int64_t peak = tests::PeakTensorBytes([&] { result_ = RunQuery(repro, backend); }) + input_bytes;
    EXPECT_LE(peak, plain + input_bytes + 2 * outputs * kBytes)
        << static_cast<double>(peak) / kBytes << " tensors, where a run takes "
        << static_cast<double>(plain) / kBytes;
  }

  CheckResult result_;
  Wrong wrong_;

 private:
  /// As `culprit run` without a compiler.
  static void RunPlain(const repro::Repro& repro) {
    const GraphModel eager(repro.graph);
    EXPECT_TRUE(RunModel(eager, repro.inputs, {.settings = repro.header.run}).ok());
  }
};

TEST_F(CheckMemoryTest, OfEveryBackendIsThatOfAPlainRunAndInputsAndOutputs) {
  for (const char* name : {"eager", "aot-eager", "torchscript", "native"}) {
    SCOPED_TRACE(name);
    const std::unique_ptr<backend::Backend> backend = *backends::Open({.name = name});
    Check(Chain(), {at::rand({kElements})}, 1, *backend);
    EXPECT_EQ(result_.status, CheckStatus::kSame) << result_.message;
    EXPECT_THAT(result_.warnings, IsEmpty());
  }
}

TEST_F(CheckMemoryTest, IsNoMoreIfSomethingDiffersAndFloat64IsAsked) {
  Check(Chain(), {at::rand({kElements})}, 1, wrong_);
  EXPECT_EQ(result_.status, CheckStatus::kDifferent) << result_.message;
  EXPECT_THAT(result_.warnings, IsEmpty());
  EXPECT_TRUE(result_.verdict.outputs.at(0).rmse_reference_fp64) << "there was room for it";
  EXPECT_TRUE(result_.verdict.outputs.at(0).noise->nudged);
}

TEST_F(CheckMemoryTest, ManyInputsAreCastOneByOne) {
  std::string text = "x";
  std::string calls;
  std::vector<c10::IValue> inputs = {at::rand({kElements})};
  for (int i = 0; i < 8; ++i) {
    const std::string number = std::to_string(i);
    inputs.emplace_back(at::rand({kElements}));
    text += ", w" + number;
    calls += fmt::format("v{} = mul.Tensor({}, w{})\n", i, i == 0 ? "x" : fmt::format("v{}", i - 1), i);
  }
  Check(text + "\n" + calls + "return (v7,)", std::move(inputs), 1, wrong_);
  EXPECT_EQ(result_.status, CheckStatus::kDifferent) << result_.message;
  EXPECT_TRUE(result_.verdict.outputs.at(0).rmse_reference_fp64);
}

/// 8 tensors at a time, of which the sum is returned.
constexpr const char* kManyValues =
    "x\n"
    "a = sin.default(x)\nb = cos.default(x)\nc = tanh.default(x)\nd = exp.default(x)\n"
    "e = sigmoid.default(x)\nf = neg.default(x)\n"
    "g = add.Tensor(a, b)\nh = add.Tensor(g, c)\ni = add.Tensor(h, d)\nj = add.Tensor(i, e)\n"
    "k = add.Tensor(j, f)\n"
    "return (k,)";

TEST_F(CheckMemoryTest, WhereFloat64WouldTakeMoreItIsRefusedAndThatIsSaid) {
  Check(kManyValues, {at::rand({kElements})}, 1, wrong_);
  EXPECT_EQ(result_.status, CheckStatus::kDifferent) << result_.message;
  EXPECT_FALSE(result_.verdict.outputs.at(0).rmse_reference_fp64);
  EXPECT_THAT(result_.warnings,
              ElementsAre("could not generate fp64 outputs: it takes more than 36.0 MiB of memory, which is "
                          "all that a check has for it; a larger --memory-limit gives it more"));
}

TEST_F(CheckMemoryTest, OfTrainingIsBoundedToo) {
  const at::Tensor x = at::rand({kElements}).requires_grad_(true);
  // Both sides give back an output and a gradient.
  const std::unique_ptr<backend::Backend> aot = *backends::Open({.name = "aot-eager"});
  Check(Chain(), {x}, 2, *aot);
  EXPECT_EQ(result_.status, CheckStatus::kSame) << result_.message;
  Check(Chain(), {x}, 2, wrong_);
  EXPECT_EQ(result_.status, CheckStatus::kDifferent) << result_.message;
}

}  // namespace
}  // namespace culprit::check
