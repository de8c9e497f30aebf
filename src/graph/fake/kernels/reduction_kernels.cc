// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/amax.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/max.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/real.h>
#include <ATen/ops/sum.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

using TwoTensors = std::tuple<at::Tensor, at::Tensor>;
using OptionalDtype = std::optional<at::ScalarType>;
using OptionalDims = at::OptionalIntArrayRef;

at::Tensor Number(const at::Tensor& self) {
  return at::empty({}, self.options());
}

at::Tensor Extreme(const at::Tensor& self) {
  TORCH_CHECK(self.numel() > 0, "max(): Expected reduction dim to be specified for input.numel() == 0");
  return Number(self);
}

TwoTensors Extremes(const at::Tensor& self) {
  return {Extreme(self), Extreme(self)};
}

TwoTensors ExtremesAlong(const at::Tensor& self, int64_t dim, bool keepdim) {
  return {at::amax(self, dim, keepdim), at::amax(self, dim, keepdim)};
}

TwoTensors SelectedAlong(const at::Tensor& self, int64_t dim, bool keepdim) {
  return at::max(self, dim, keepdim);
}

TwoTensors KthValue(const at::Tensor& self, int64_t, int64_t dim, bool keepdim) {
  return at::max(self, dim, keepdim);
}

at::Tensor Prod(const at::Tensor& self, OptionalDtype dtype) {
  return at::sum(self, dtype);
}

at::Tensor NanSum(const at::Tensor& self, OptionalDims dims, bool keepdim, OptionalDtype dtype) {
  return at::sum(self, dims, keepdim, dtype);
}

at::Tensor CountNonzero(const at::Tensor& self, at::IntArrayRef dims) {
  return at::sum(at::ne(self, 0), dims);
}

at::Tensor Variance(const at::Tensor& self, OptionalDims dims, const std::optional<at::Scalar>&,
                    bool keepdim) {
  TORCH_CHECK(at::isFloatingType(self.scalar_type()) || at::isComplexType(self.scalar_type()),
              "std and var only support floating point and complex dtypes");
  return at::sum(self, dims, keepdim, c10::toRealValueType(self.scalar_type()));
}

TwoTensors VarianceAndMean(const at::Tensor& self, OptionalDims dims,
                           const std::optional<at::Scalar>& correction, bool keepdim) {
  return {Variance(self, dims, correction, keepdim), at::sum(self, dims, keepdim)};
}

at::Tensor Trace(const at::Tensor& self) {
  TORCH_CHECK(self.dim() == 2, "trace: expected a matrix, but got a tensor with dim ", self.dim());
  return at::sum(self);
}

at::Tensor Dot(const at::Tensor& self, const at::Tensor& other) {
  TORCH_CHECK(self.dim() == 1 && other.dim() == 1, "1D tensors expected, but got ", self.dim(), "D and ",
              other.dim(), "D tensors");
  TORCH_CHECK(self.scalar_type() == other.scalar_type(), "dot : expected both vectors to have same dtype");
  TORCH_CHECK(self.numel() == other.numel(), "inconsistent tensor size, expected tensors of ", self.numel(),
              " and ", other.numel(), " elements");
  return Number(self);
}

at::Tensor IntMm(const at::Tensor& self, const at::Tensor& other) {
  TORCH_CHECK(self.dim() == 2 && other.dim() == 2 && self.size(1) == other.size(0), "expected matrices that ",
              "can be multiplied, got ", self.sizes(), " and ", other.sizes());
  TORCH_CHECK(self.scalar_type() == at::kChar && other.scalar_type() == at::kChar,
              "expected matrices of int8, got ", self.scalar_type(), " and ", other.scalar_type());
  return at::empty({self.size(0), other.size(1)}, self.options().dtype(at::kInt));
}

/// Both helpers fill what they are given.
void CumulativeHelper(const at::Tensor&, at::Tensor&, at::Tensor&, int64_t) {}

at::Tensor LogCumSumExp(const at::Tensor& self, int64_t) {
  return at::empty(self.sizes(), self.options());
}

}  // namespace

void AddReductions(torch::Library& library) {
  library.impl("max", Extreme);
  library.impl("min", Extreme);
  library.impl("median", Number);
  library.impl("nanmedian", Number);
  library.impl("_aminmax", Extremes);
  library.impl("_aminmax.dim", ExtremesAlong);
  library.impl("median.dim", SelectedAlong);
  library.impl("nanmedian.dim", SelectedAlong);
  library.impl("mode", SelectedAlong);
  library.impl("kthvalue", KthValue);
  library.impl("prod", Prod);
  library.impl("nansum", NanSum);
  library.impl("count_nonzero.dim_IntList", CountNonzero);
  library.impl("var.correction", Variance);
  library.impl("std.correction", Variance);
  library.impl("var_mean.correction", VarianceAndMean);
  library.impl("std_mean.correction", VarianceAndMean);
  library.impl("trace", Trace);
  library.impl("dot", Dot);
  library.impl("vdot", Dot);
  library.impl("_int_mm", IntMm);
  library.impl("_cummax_helper", CumulativeHelper);
  library.impl("_cummin_helper", CumulativeHelper);
  library.impl("_logcumsumexp", LogCumSumExp);
}

}  // namespace culprit::graph::fake
