// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::EachWith;
using tests::ExpectBothThrow;
using tests::ExpectSameWithoutFallback;

TEST(RandomKernels, Multinomial) {
  ExpectSameWithoutFallback({
      {{"f32[4]"}, "torch.multinomial(a, 2)"},
      {{"f64[3,4]:t"}, "torch.multinomial(a, 6, True)"},
  });
  ExpectBothThrow(EachWith({"f32[4]"}, {"torch.multinomial(a, 5)", "torch.multinomial(a, 0)"}));
}

TEST(RandomKernels, PoissonAndBinomial) {
  ExpectSameWithoutFallback(
      EachWith({"f32[2,3]", "f32[2,3]:t", "f64[]"}, {"torch.poisson(a)", "torch.binomial(a, a * 0.5)"}));
}

TEST(RandomKernels, OthersThatLibtorchHas) {
  ExpectSameWithoutFallback(EachWith(
      {"f32[2,3]:t", "f32[2,3,4,5]:cl"},
      {"torch.bernoulli(a)", "torch.rand_like(a)", "torch.normal(a, 1.0)", "torch.dropout(a, 0.5, True)",
       "torch.randint_like(a, 5)", "torch.rrelu(a, 0.1, 0.3, True)"}));
}

}  // namespace
}  // namespace culprit::graph::fake
