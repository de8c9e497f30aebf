// SPDX-License-Identifier: Apache-2.0
//
// A number within rounding of an edge falls on this side in one run and on that side in another: no compiler
// is to blame for which.
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "check/run/function_model.h"
#include "check/run/graph_model.h"
#include "check/verdict/same_two_models.h"
#include "tests/lib/failing_paths.h"
#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using graph::ValueId;
using tests::TestGraph;
using Values = std::vector<c10::IValue>;

constexpr int kElements = 64;

/// One number of the product a * b is the edge, or a unit in the last place beside it; the others are far.
Values InputsAtTheEdge(double edge, int seed, bool gradients) {
  at::Tensor a = at::linspace(1.1, 2.9, kElements).add(0.01 * seed);
  at::Tensor b = at::arange(kElements).to(at::kFloat).sub(31.7).div(a);
  b[seed % kElements] = edge / a[seed % kElements].item<double>();
  return {a.set_requires_grad(gradients), b.set_requires_grad(gradients)};
}

struct Kink {
  const char* name;
  double edge;
  /// Of the product.
  void (*add)(TestGraph& g, ValueId product);
  bool has_gradient = false;
};

ValueId Rows(TestGraph& g, ValueId product) {
  return g.Call("aten::reshape", {product, {8, 8}});
}

const Kink kKinks[] = {
    {"gt", 3,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::gt.Scalar", {x, 3})});
     }},
    {"le", 3,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::le.Scalar", {x, 3})});
     }},
    {"eq", 3,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::eq.Scalar", {x, 3})});
     }},
    {"floor", 5, [](TestGraph& g, ValueId x) { g.Return({g.Call("aten::floor", {x})}); }},
    {"ceil", 5, [](TestGraph& g, ValueId x) { g.Return({g.Call("aten::ceil", {x})}); }},
    {"trunc", -5, [](TestGraph& g, ValueId x) { g.Return({g.Call("aten::trunc", {x})}); }},
    {"round", 4.5, [](TestGraph& g, ValueId x) { g.Return({g.Call("aten::round", {x})}); }},
    {"frac", 5, [](TestGraph& g, ValueId x) { g.Return({g.Call("aten::frac", {x})}); }},
    {"to int", 7,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::_to_copy", {x}, {{"dtype", at::kInt}})});
     }},
    {"remainder", 6,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::remainder.Scalar", {x, 3})});
     }},
    {"floor_divide", 6,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::div.Scalar_mode", {x, 3}, {{"rounding_mode", "floor"}})});
     }},
    {"sign", 3,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::sign", {g.Call("aten::sub.Tensor", {x, 3})})});
     }},
    {"where", 3,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::where.ScalarOther", {g.Call("aten::gt.Scalar", {x, 3}), x, 1000})});
     }},
    {"nonzero", 3,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::nonzero", {g.Call("aten::gt.Scalar", {x, 3})})});
     }},
    {"relu backward", 3,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::relu", {g.Call("aten::sub.Tensor", {x, 3})})});
     },
     true},
    {"clamp backward", 3,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::clamp", {x, -3, 3})});
     },
     true},
    {"abs backward", 3,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::abs", {g.Call("aten::sub.Tensor", {x, 3})})});
     },
     true},
    // The largest of its row is met within rounding by the one that is at the edge.
    {"argmax", 31.3,
     [](TestGraph& g, ValueId x) {
       g.Return({g.Call("aten::argmax", {Rows(g, x), 1})});
     }},
    {"topk", 31.3,
     [](TestGraph& g, ValueId x) {
       g.Return({g.CallAll("aten::topk", {Rows(g, x), 2, 1})[1]});
     }},
    {"sort", 31.3,
     [](TestGraph& g, ValueId x) {
       g.Return({g.CallAll("aten::sort", {Rows(g, x), 1})[1]});
     }},
    {"max_pool", 31.3,
     [](TestGraph& g, ValueId x) {
       const ValueId image = g.Call("aten::reshape", {x, {1, 1, 8, 8}});
       const auto pooled = g.CallAll("aten::max_pool2d_with_indices", {image, {8, 8}});
       g.Return({pooled[0], pooled[1]});
     },
     true},
};

/// A compiler whose every rounding step may be a unit in the last place off.
CheckResult CheckRounded(const Kink& kink, int seed) {
  TestGraph g;
  const ValueId a = g.Placeholder("a");
  kink.add(g, g.Call("aten::mul.Tensor", {a, g.Placeholder("b")}));
  const GraphModel reference(g.graph());
  RoundingTrial trial{.pattern = 1000 + static_cast<uint64_t>(seed)};
  return SameTwoModels(reference, *reference.Rounded(trial),
                       InputsAtTheEdge(kink.edge, seed, kink.has_gradient), CheckOptions::Strict());
}

TEST(KinksTest, AreNoFailures) {
  int forgiven = 0;
  for (const Kink& kink : kKinks) {
    for (int seed = 0; seed < kElements; ++seed) {
      const CheckResult result = CheckRounded(kink, seed);
      EXPECT_EQ(result.status, CheckStatus::kSame)
          << kink.name << " " << seed << testing::PrintToString(tests::FailingPaths(result.verdict));
      for (const compare::Output& output : result.verdict.outputs)
        forgiven += output.rule == compare::Rule::kNoise ? 1 : 0;
    }
  }
  EXPECT_GT(forgiven, 100) << "this tests nothing";
}

CheckResult CheckComparison(const char* right, const char* wrong, const Values& inputs) {
  const auto comparing = [](const char* op) {
    TestGraph g;
    const ValueId x = g.Placeholder("x");
    g.Return({g.Call(op, {x, g.Placeholder("y")})});
    return GraphModel(g.graph());
  };
  return SameTwoModels(comparing(right), comparing(wrong), inputs, CheckOptions::Strict());
}

// cos(0) is 1, the edge of frac; what is wrong are negative numbers.
TEST(KinksTest, AKinkInOneElementExcusesNoOther) {
  TestGraph g;
  g.Return({g.Call("aten::frac", {g.Call("aten::cos", {g.Placeholder("x")})})});
  const FunctionModel wrong = FunctionModel::Plain([](const Values& inputs) -> c10::IValue {
    const at::Tensor cos = inputs[0].toTensor().cos();
    return c10::ivalue::Tuple::create({cos.sub(cos.floor())});
  });
  EXPECT_EQ(SameTwoModels(GraphModel(g.graph()), wrong, {at::tensor({0.0F, 1.0F, 2.0F, 3.0F})},
                          CheckOptions::Strict())
                .status,
            CheckStatus::kDifferent);
}

/// The product of x and y is at the edge of the comparison in the first elements.
CheckResult CompareProducts(const char* right, const char* wrong, int at_edge) {
  const auto comparing = [](const char* op) {
    TestGraph g;
    const ValueId product = g.Call("aten::mul.Tensor", {g.Placeholder("x"), g.Placeholder("y")});
    g.Return({g.Call(op, {product, 3})});
    return GraphModel(g.graph());
  };
  const at::Tensor x = at::linspace(1.1, 2.9, kElements);
  const at::Tensor y = at::full({kElements}, 3.0).div(x);
  y.slice(0, at_edge, kElements, 2).mul_(1.5);
  y.slice(0, at_edge + 1, kElements, 2).mul_(0.5);
  return SameTwoModels(comparing(right), comparing(wrong), {x, y}, CheckOptions::Strict());
}

TEST(KinksTest, ManyNumbersAtAnEdgeExcuseNoOthers) {
  EXPECT_EQ(CompareProducts("aten::gt.Scalar", "aten::ge.Scalar", 36).status, CheckStatus::kSame);
  EXPECT_EQ(CompareProducts("aten::gt.Scalar", "aten::le.Scalar", 36).status, CheckStatus::kDifferent);
}

TEST(KinksTest, AWrongComparisonOfIntegersIsFound) {
  const at::Tensor integers = at::arange(kElements);
  EXPECT_EQ(CheckComparison("aten::gt.Tensor", "aten::ge.Tensor", {integers, integers}).status,
            CheckStatus::kDifferent);
}

TEST(KinksTest, AWrongComparisonWithZeroIsFound) {
  const at::Tensor zeros = at::zeros({kElements});
  EXPECT_EQ(CheckComparison("aten::gt.Tensor", "aten::ge.Tensor", {zeros, zeros}).status,
            CheckStatus::kDifferent);
}

TEST(KinksTest, AWrongComparisonFarFromItsEdgeIsFound) {
  const at::Tensor x = at::linspace(-1, 1, kElements);
  EXPECT_EQ(CheckComparison("aten::gt.Tensor", "aten::lt.Tensor", {x, at::full({}, 0.1)}).status,
            CheckStatus::kDifferent);
}

}  // namespace
}  // namespace culprit::check
