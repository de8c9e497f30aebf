// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/random_graph/operators.h"

namespace culprit::tests {
namespace {

using enum Dtypes;

// Over elements that share memory, libtorch searches a copy with the same strides, which it fills only
// in part.
bool OneWithoutSharedElements(GraphMaker& maker, const graph::Operator& op) {
  const Operand self = maker.Pick(kReal, [](const at::Tensor& tensor) {
    return tensor.dim() > 0 && tensor.is_non_overlapping_and_dense();
  });
  return maker.Complete(op, {{"self", self}}, self.tensor);
}

constexpr OperatorRow kRows[] = {
    {"aten::all", One<kAny>},
    {"aten::all.dim", One<kAny>},
    {"aten::amax", One<kReal, 1>},
    {"aten::amin", One<kReal, 1>},
    {"aten::aminmax", One<kReal, 1>},
    {"aten::any", One<kAny>},
    {"aten::any.dim", One<kAny>},
    {"aten::argmax", One<kReal, 1>},
    {"aten::argmin", One<kReal, 1>},
    {"aten::argsort", One<kReal>},
    {"aten::count_nonzero.dim_IntList", One<kAny, 1>},
    {"aten::cummax", One<kReal>},
    {"aten::cummin", One<kReal>},
    {"aten::cumprod", One<kReal>},
    {"aten::cumsum", One<kReal>},
    {"aten::diff", One<kReal, 1>},
    {"aten::frobenius_norm.dim", One<kFloating, 2, 2>},
    {"aten::kthvalue", OneWithoutSharedElements},
    {"aten::linalg_vector_norm", One<kFloating>},
    {"aten::logcumsumexp", One<kFloating, 1>},
    {"aten::logsumexp", One<kFloating, 1>},
    {"aten::max", One<kReal>},
    {"aten::max.dim", One<kReal>},
    {"aten::mean", One<kFloating>},
    {"aten::mean.dim", One<kFloating>},
    {"aten::median", One<kReal>},
    {"aten::median.dim", OneWithoutSharedElements},
    {"aten::min", One<kReal>},
    {"aten::min.dim", One<kReal>},
    {"aten::mode", One<kReal, 1>},
    {"aten::msort", One<kReal, 1>},
    {"aten::nanmean", One<kFloating>},
    {"aten::nanmedian", One<kReal>},
    {"aten::nansum", One<kFloating>},
    {"aten::norm.Scalar", One<kFloating>},
    {"aten::norm.ScalarOpt_dim", One<kFloating>},
    {"aten::prod", One<kReal>},
    {"aten::prod.dim_int", One<kReal>},
    {"aten::renorm", One<kFloating, 2>},
    {"aten::sort", One<kReal>},
    {"aten::sort.stable", One<kReal>},
    {"aten::std.correction", One<kFloating>},
    {"aten::std_mean.correction", One<kFloating>},
    {"aten::sum", One<kAny>},
    {"aten::sum.dim_IntList", One<kAny>},
    {"aten::topk", One<kReal, 1>},
    {"aten::trace", One<kReal, 2, 2>},
    {"aten::var.correction", One<kFloating>},
    {"aten::var_mean.correction", One<kFloating>},

    {"aten::_log_softmax", One<kFloating>},
    {"aten::_softmax", One<kFloating>},
    {"aten::log_softmax.int", One<kFloating>},
    {"aten::softmax.int", One<kFloating>},

    // Numbers out of tensors.
    {"aten::_local_scalar_dense",
     [](GraphMaker& maker, const graph::Operator& op) {
       const Operand one = maker.Pick(kReal, [](const at::Tensor& tensor) { return tensor.numel() == 1; });
       return maker.Call(op, {{"self", one}});
     }},
    {"aten::equal", Matching<kReal>},
};

}  // namespace

std::span<const OperatorRow> ReductionOperators() {
  return kRows;
}

}  // namespace culprit::tests
