// SPDX-License-Identifier: Apache-2.0
//
// An operator that libtorch does not have, as users register theirs.
#include <ATen/core/Tensor.h>
#include <torch/library.h>

namespace {

at::Tensor TwicePlus(const at::Tensor& x, double number) {
  return x.mul(2).add(number);
}

}  // namespace

TORCH_LIBRARY(mylib, library) {
  library.def("twice_plus(Tensor x, float number=1.0) -> Tensor", TwicePlus);
}
