// SPDX-License-Identifier: Apache-2.0
//
// Real miscompiles of libtorch (tests/fixtures/real_bugs): each fails as its comment says, with the backend
// and the stage that it names, and passes without. Those that libtorch has mended are controls: they pass.
#include <ATen/core/grad_mode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/table.h"
#include "graph/inputs/make_inputs.h"
#include "graph/run/interpreter.h"
#include "tests/lib/fixtures.h"

namespace culprit::tests {
namespace {

using backend::Values;
using testing::HasSubstr;

class Bug {
 public:
  explicit Bug(const std::string& name)
      : script_(ReadFixtureScript("tests/fixtures/real_bugs/" + name + ".py")) {}

  const graph::Graph& graph() const { return script_.graph; }
  Values Inputs() const { return graph::inputs::MakeInputs(*script_.inputs)->values; }
  Values Eager() const { return graph::Interpreter(script_.graph).Run(Inputs()); }

  std::unique_ptr<backend::Compiled> Compile(const std::string& spec) const {
    return (*backends::Open(*backend::ParseSpec(spec)))->Compile(script_.graph, Inputs());
  }

  /// What the n-th call of what the backend compiled gives.
  Values Compiled(const std::string& spec, int calls) const {
    const at::NoGradGuard no_grad;
    const std::unique_ptr<backend::Compiled> compiled = Compile(spec);
    Values outputs;
    for (int i = 0; i < calls; ++i) {
      Values inputs = Inputs();
      outputs = compiled->Call(inputs);
    }
    return outputs;
  }

 private:
  graph::text::Script script_;
};

/// The largest difference of any output.
double Distance(const Values& a, const Values& b) {
  double distance = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    distance = std::max(distance, a[i].toTensor().sub(b[i].toTensor()).abs().max().item<double>());
  }
  return distance;
}

std::string MessageOf(const std::function<void()>& function) {
  try {
    function();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

void ExpectWrongInOneDnnOnly(const Bug& bug) {
  EXPECT_GT(Distance(bug.Eager(), bug.Compiled("torchscript:stage=ofi", 1)), 0.01);
  EXPECT_LT(Distance(bug.Eager(), bug.Compiled("torchscript:stage=freeze", 1)), 1e-5);
  EXPECT_LT(Distance(bug.Eager(), bug.Compiled("torchscript:stage=ofi,off=convert_to_mkldnn", 1)), 1e-5);
}

TEST(RealBugsTest, AnAverageOfWindowsThatReachBeyondTheImageIsWrong) {
  ExpectWrongInOneDnnOnly(Bug("conv_avg_pool"));
}

TEST(RealBugsTest, AScaledSumWhoseFirstOperandIsStillNeededIsWrong) {
  ExpectWrongInOneDnnOnly(Bug("conv_scaled_add"));
}

TEST(RealBugsTest, HardswishBehindAConvolutionIsRight) {
  const Bug bug("conv_hardswish");
  EXPECT_LT(Distance(bug.Eager(), bug.Compiled("torchscript:stage=ofi", 1)), 1e-5);
}

TEST(RealBugsTest, ClipBehindAConvolutionToOneChannelIsRight) {
  const Bug bug("pytorch_86527");
  EXPECT_LT(Distance(bug.Eager(), bug.Compiled("torchscript:stage=ofi", 1)), 1e-5);
}

TEST(RealBugsTest, ClampWithoutAnUpperBoundCannotBeCompiled) {
  const Bug bug("pytorch_92563");
  EXPECT_THAT(MessageOf([&] { bug.Compile("torchscript:stage=ofi"); }), HasSubstr("INTERNAL ASSERT FAILED"));
  EXPECT_LT(Distance(bug.Eager(), bug.Compiled("torchscript:stage=freeze", 1)), 1e-5);
}

TEST(RealBugsTest, ReluInPlaceOfAFoldedConvolutionThrows) {
  const Bug bug("pytorch_92740");
  const std::unique_ptr<backend::Compiled> compiled = bug.Compile("torchscript:stage=ofi");
  Values inputs = bug.Inputs();
  const at::NoGradGuard no_grad;
  EXPECT_THAT(MessageOf([&] { compiled->Call(inputs); }), HasSubstr("aten::conv2d"));
  EXPECT_LT(Distance(bug.Eager(), bug.Compiled("torchscript:stage=freeze", 1)), 1e-5);
}

TEST(RealBugsTest, TheGradientOfAComplexLogarithmIsWrongFromTheSecondCallOn) {
  const Bug bug("pytorch_140101");
  const auto gradient = [](const Values& inputs, const Values& outputs) -> Values {
    outputs[0].toTensor().sum().backward();
    return {inputs[0].toTensor().grad()};
  };
  Values inputs = bug.Inputs();
  const Values expected = gradient(inputs, graph::Interpreter(bug.graph()).Run(inputs));
  const std::unique_ptr<backend::Compiled> compiled = bug.Compile("torchscript");
  std::vector<double> distances;
  for (int i = 0; i < 3; ++i) {
    const Values fresh = bug.Inputs();
    Values given = fresh;
    distances.push_back(Distance(expected, gradient(fresh, compiled->Call(given))));
  }
  EXPECT_LT(distances[0], 1e-6);
  EXPECT_GT(distances[1], 0.01);
  EXPECT_GT(distances[2], 0.01);
}

TEST(RealBugsTest, FracOfNegativeNumbersIsOffByOneFromTheSecondCallOn) {
  const Bug bug("pytorch_86597");
  EXPECT_LT(Distance(bug.Eager(), bug.Compiled("torchscript:stage=nnc", 1)), 1e-6);
  EXPECT_NEAR(Distance(bug.Eager(), bug.Compiled("torchscript:stage=nnc", 2)), 1, 1e-6);
  EXPECT_LT(Distance(bug.Eager(), bug.Compiled("torchscript:stage=nnc,off=nnc_fuse@2", 3)), 1e-6);
  EXPECT_LT(Distance(bug.Eager(), bug.Compiled("torchscript:stage=plain", 3)), 1e-6);
}

TEST(RealBugsTest, ABoolTimesOneStaysABool) {
  const Bug bug("bool_times_one");
  EXPECT_EQ(bug.Eager()[0].toTensor().scalar_type(), at::kLong);
  EXPECT_EQ(bug.Compiled("torchscript", 3)[0].toTensor().scalar_type(), at::kBool);
  EXPECT_EQ(bug.Compiled("torchscript:off=executor_optimize", 3)[0].toTensor().scalar_type(), at::kLong);
}

// What makes it no bug is for a comparison with float64 to say.
TEST(RealBugsTest, AQuotientOfCancelledNumbersRuns) {
  const Bug bug("pytorch_86816");
  EXPECT_EQ(bug.Compiled("torchscript:stage=nnc", 3).size(), 1u);
}

}  // namespace
}  // namespace culprit::tests
