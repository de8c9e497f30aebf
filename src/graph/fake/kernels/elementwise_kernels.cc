// SPDX-License-Identifier: Apache-2.0
#include <ATen/TensorIterator.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/result_type.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sub.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

/// Broadcast, with the strides that libtorch's own loops give a result of these inputs.
at::Tensor Elementwise(std::initializer_list<at::Tensor> inputs, at::ScalarType dtype) {
  at::TensorIteratorConfig config;
  config.check_all_same_dtype(false).declare_static_dtype_and_device(dtype, at::kMeta);
  config.add_owned_output(at::Tensor());
  for (const at::Tensor& input : inputs) config.add_owned_input(input);
  return config.build().output();
}

at::Tensor Where(const at::Tensor& condition, const at::Tensor& self, const at::Tensor& other) {
  TORCH_CHECK(condition.scalar_type() == at::kBool || condition.scalar_type() == at::kByte,
              "where expected condition to be a boolean tensor, but got a tensor with dtype ",
              condition.scalar_type());
  return Elementwise({condition, self, other}, at::result_type(self, other));
}

at::Tensor IsNan(const at::Tensor& self) {
  return at::ne(self, self);
}

at::Tensor Angle(const at::Tensor& self) {
  const at::ScalarType dtype = self.scalar_type();
  if (at::isComplexType(dtype)) {
    return at::empty(self.sizes(), self.options().dtype(c10::toRealValueType(dtype)));
  }
  return at::sigmoid(self);
}

at::Tensor Logit(const at::Tensor& self, std::optional<double>) {
  return at::sigmoid(self);
}

at::Tensor Rsub(const at::Tensor& self, const at::Tensor& other, const at::Scalar& alpha) {
  return at::sub(other, self, alpha);
}

at::Tensor RemainderOfScalar(const at::Scalar& self, const at::Tensor& other) {
  return at::remainder(other, self);
}

at::Tensor FloorDivide(const at::Tensor& self, const at::Tensor& other) {
  return at::remainder(self, other);
}

at::Tensor ShiftByTensor(const at::Tensor& self, const at::Tensor& other) {
  return self.mul(other);
}

at::Tensor ShiftByScalar(const at::Tensor& self, const at::Scalar& other) {
  return self.mul(other);
}

at::Tensor BucketizeTensor(const at::Tensor& self, const at::Tensor&, bool out_int32, bool) {
  return at::empty(self.sizes(), self.options().dtype(out_int32 ? at::kInt : at::kLong));
}

at::Tensor BucketizeScalar(const at::Scalar&, const at::Tensor& boundaries, bool out_int32, bool) {
  return at::empty({}, boundaries.options().dtype(out_int32 ? at::kInt : at::kLong));
}

at::Tensor SearchTensor(const at::Tensor&, const at::Tensor& self, bool out_int32, bool,
                        std::optional<c10::string_view>, const std::optional<at::Tensor>&) {
  return at::empty(self.sizes(), self.options().dtype(out_int32 ? at::kInt : at::kLong));
}

at::Tensor SearchScalar(const at::Tensor& sorted, const at::Scalar&, bool out_int32, bool,
                        std::optional<c10::string_view>, const std::optional<at::Tensor>&) {
  return at::empty({}, sorted.options().dtype(out_int32 ? at::kInt : at::kLong));
}

/// One number for each tensor of a list, in place of which one of their dtype will do.
at::Scalar AnyOf(const at::Tensor& scalars, size_t count) {
  TORCH_CHECK(scalars.is_contiguous(), "Expected scalars to be contiguous.");
  TORCH_CHECK(scalars.dim() == 1, "Expected packed scalar Tensor to be of dimension 1. Got ", scalars.dim(),
              " instead.");
  TORCH_CHECK(scalars.numel() == static_cast<int64_t>(count),
              "Expected length of scalars to match input of length ", count, " but got ", scalars.numel(),
              " instead.");
  return at::isFloatingType(scalars.scalar_type()) ? at::Scalar(1.0) : at::Scalar(1);
}

std::vector<at::Tensor> AddProducts(at::TensorList self, at::TensorList a, at::TensorList b,
                                    const at::Tensor& scalars) {
  return at::_foreach_addcmul(self, a, b, AnyOf(scalars, self.size()));
}

void AddProductsInPlace(at::TensorList self, at::TensorList a, at::TensorList b, const at::Tensor& scalars) {
  at::_foreach_addcmul_(self, a, b, AnyOf(scalars, self.size()));
}

std::vector<at::Tensor> AddQuotients(at::TensorList self, at::TensorList a, at::TensorList b,
                                     const at::Tensor& scalars) {
  return at::_foreach_addcdiv(self, a, b, AnyOf(scalars, self.size()));
}

void AddQuotientsInPlace(at::TensorList self, at::TensorList a, at::TensorList b, const at::Tensor& scalars) {
  at::_foreach_addcdiv_(self, a, b, AnyOf(scalars, self.size()));
}

}  // namespace

void AddElementwise(torch::Library& library) {
  library.impl("where.self", Where);
  library.impl("isnan", IsNan);
  library.impl("angle", Angle);
  library.impl("logit", Logit);
  library.impl("rsub.Tensor", Rsub);
  library.impl("remainder.Scalar_Tensor", RemainderOfScalar);
  library.impl("floor_divide", FloorDivide);
  library.impl("__lshift__.Tensor", ShiftByTensor);
  library.impl("__lshift__.Scalar", ShiftByScalar);
  library.impl("__rshift__.Tensor", ShiftByTensor);
  library.impl("__rshift__.Scalar", ShiftByScalar);
  library.impl("bucketize.Tensor", BucketizeTensor);
  library.impl("bucketize.Scalar", BucketizeScalar);
  library.impl("searchsorted.Tensor", SearchTensor);
  library.impl("searchsorted.Scalar", SearchScalar);
  library.impl("_foreach_addcmul.Tensor", AddProducts);
  library.impl("_foreach_addcmul_.Tensor", AddProductsInPlace);
  library.impl("_foreach_addcdiv.Tensor", AddQuotients);
  library.impl("_foreach_addcdiv_.Tensor", AddQuotientsInPlace);
}

}  // namespace culprit::graph::fake
