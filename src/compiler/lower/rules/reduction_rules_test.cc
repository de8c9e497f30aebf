// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"

namespace culprit::compiler::lower {
namespace {

using tests::CompareLowered;
using tests::Numbers;
using tests::OneCall;

constexpr const char* kDtypes[] = {"f32", "f64", "f16", "bf16", "i64", "i32", "u8", "bool"};
constexpr const char* kLayouts[] = {"[3,4,5]",         "[2,4,6] t", "[3,2,4] step", "[3,4,5] expand",
                                    "[3,4,5] special", "[1,1,1]",   "[0,3,2]",      "[2,0,3]"};

/// Compares on all dtypes and layouts on which eager does not throw.
void Sweep(const std::string& call, size_t results = 1) {
  size_t compared = 0;
  for (const char* dtype : kDtypes) {
    for (const std::string layout : kLayouts) {
      const std::string where = call + " on " + dtype + layout;
      try {
        const tests::Lowered lowered = CompareLowered(OneCall(call, 1, results), {Numbers(dtype + layout)});
        EXPECT_EQ(lowered.difference, "") << where;
        compared += lowered.loops;
      } catch (const std::exception& error) {
        ADD_FAILURE() << where << " throws " << error.what();
      }
    }
  }
  EXPECT_GT(compared, 0U) << call;
}

TEST(ReductionRulesTest, SumsAndProductsAgreeWithEager) {
  for (const char* call :
       {"sum.default(a)", "sum.dim_IntList(a, [1])", "sum.dim_IntList(a, [0, -1], True)",
        "sum.dim_IntList(a, [0, 1, 2])", "sum.dim_IntList(a, [])",
        "sum.dim_IntList(a, [1], False, dtype=torch.float64)", "prod.default(a)", "prod.dim_int(a, 1)",
        "prod.dim_int(a, -1, True)", "mean.default(a)", "mean.dim(a, [1])", "mean.dim(a, [0, 2], True)"})
    Sweep(call);
}

TEST(ReductionRulesTest, ExtremesAndTheirPlacesAgreeWithEager) {
  for (const char* call : {"amax.default(a, [1])", "amin.default(a, [0, 2], True)", "amax.default(a, [])",
                           "max.default(a)", "min.default(a)", "argmax.default(a)", "argmin.default(a)",
                           "argmax.default(a, 1)", "argmin.default(a, -1, True)"})
    Sweep(call);
  for (const char* call : {"max.dim(a, 1)", "min.dim(a, -1, True)", "max.dim(a, 0)"}) Sweep(call, 2);
}

TEST(ReductionRulesTest, LogicalReductionsAgreeWithEager) {
  for (const char* call : {"any.default(a)", "all.default(a)", "any.dim(a, 1)", "all.dim(a, -1, True)"})
    Sweep(call);
}

TEST(ReductionRulesTest, LogSumExpAgreesWithEager) {
  for (const char* call : {"logsumexp.default(a, [1])", "logsumexp.default(a, [0, 2], True)"}) Sweep(call);
}

TEST(ReductionRulesTest, SoftmaxAgreesWithEager) {
  for (const char* call : {"_softmax.default(a, 1, False)", "_softmax.default(a, -1, False)",
                           "_log_softmax.default(a, 0, False)", "_log_softmax.default(a, 2, False)"})
    Sweep(call);
}

TEST(ReductionRulesTest, TheGradientsOfSoftmaxAgreeWithEager) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"f32", "float32"}, {"f64", "float64"}, {"bf16", "bfloat16"}};
  constexpr std::string_view kLies[] = {"", " t", " step", " expand"};
  for (const char* name : {"_softmax_backward_data", "_log_softmax_backward_data"}) {
    for (const auto& [dtype, type] : kTypes) {
      const std::string call = fmt::format("{}.default(a, b, 1, torch.{})", name, type);
      for (const std::string_view gradient : kLies) {
        for (const std::string_view output : kLies)
          tests::ExpectLowered(OneCall(call, 2), {fmt::format("{}[3,4,4]{}", dtype, gradient),
                                                  fmt::format("{}[3,4,4]{}", dtype, output)});
      }
    }
  }
}

}  // namespace
}  // namespace culprit::compiler::lower
