// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::EachWith;
using tests::ExpectBothThrow;
using tests::ExpectSameWithoutFallback;

TEST(OutputKernels, UnaryOperators) {
  ExpectSameWithoutFallback(
      EachWith({"f32[2,3,4,5]", "f32[2,3,4,5]:cl", "f32[2,3]:t", "f64[2,3]:step", "f32[]", "f32[0,3]"},
               {"a.abs()", "a.abs_()", "torch.logical_not(a)", "a.logical_not_()", "torch.nan_to_num(a)",
                "torch.nan_to_num_(a)", "torch.logsumexp(a, [0])", "torch.isinf(a)", "torch.isfinite(a)",
                "a.logit_(0.1)", "torch.hardtanh_(a, 0, 1)", "torch.hardswish_(a)"}));
  ExpectSameWithoutFallback(
      EachWith({"i64[2,3]", "bool[2,3]:t"}, {"torch.logical_not(a)", "torch.isinf(a)"}));
  ExpectSameWithoutFallback(
      EachWith({"c64[2,3]", "c64[2,3]:t"}, {"a.abs()", "torch.conj_physical(a)", "a.conj().resolve_conj()"}));
}

TEST(OutputKernels, BinaryOperators) {
  ExpectSameWithoutFallback({
      {{"f32[2,3]", "i64[3]"}, "torch.logical_and(a, b)"},
      {{"bool[2,3]:t", "bool[2,3]:t"}, "torch.logical_or(a, b)"},
      {{"f32[2,3]", "f32[2,1]"}, "a.logical_xor_(b)"},
      {{"f32[2,3]:t", "f32[2,3]"}, "torch.complex(a, b)"},
      {{"f64[2,3]", "f64[3]"}, "torch.polar(a, b)"},
      {{"i64[2,3]", "i64[3]"}, "a.floor_divide_(b)"},
  });
}

TEST(OutputKernels, GivenTensorsAreResized) {
  ExpectSameWithoutFallback({
      {{"f32[2,3]", "f32[0]"}, "torch.abs(a, out=b)"},
      {{"f32[2,3]", "f32[3,2]"}, "torch.abs(a, out=b.t())"},
      {{"bool[2,3]", "f32[2,3]", "f32[0]"}, "torch.where(a, b, b, out=c)"},
      {{"f32[2,3]", "f32[9]"}, "torch.diag(a, out=b)"},
  });
}

TEST(OutputKernels, Diagonals) {
  ExpectSameWithoutFallback(
      EachWith({"f32[3]:g", "f32[3,4]", "f32[3,4]:t"}, {"torch.diag(a)", "torch.diag(a, -1)"}));
  ExpectBothThrow({{{"f32[1,2,3]"}, "torch.diag(a)"}});
}

TEST(OutputKernels, HuberLossBackward) {
  ExpectSameWithoutFallback({
      {{"f32[2,3]:t", "f32[2,3]"}, "torch.huber_loss_backward(b, a, b, 0, 1.0)"},
      {{"f32[2,3,4,5]:cl", "f32[]"}, "torch.huber_loss_backward(b, a, a, 1, 1.0)"},
  });
}

}  // namespace
}  // namespace culprit::graph::fake
