// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/nest/range.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include "tests/lib/generated_kernels.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Body;
using loops::ExprId;
using loops::Op;

TEST(Range, ElementsOfAnyNumberAreComputedAndNoOthers) {
  for (const Options& options : AllOptions()) {
    for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kShort}) {
      for (const int64_t extent : {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 4095, 4096, 4097, 100003}) {
        const at::Tensor x = at::arange(extent).remainder(1000).to(dtype);
        const at::Tensor out = at::full({extent + 40}, 42, dtype);
        RunKernel(Pointwise({dtype}, dtype, extent,
                            [&](Body& body, const std::vector<ExprId>& operands) {
                              return body.Apply(Op::kAdd, {operands[0], body.Constant(1, dtype)});
                            }),
                  {x, out}, options);
        EXPECT_TRUE(out.narrow(0, 0, extent).equal(x + 1)) << extent << " " << TextOf(options);
        EXPECT_TRUE(out.narrow(0, extent, 40).equal(at::full({40}, 42, dtype)))
            << extent << " " << TextOf(options);
      }
    }
  }
}

}  // namespace
}  // namespace culprit::compiler::codegen
