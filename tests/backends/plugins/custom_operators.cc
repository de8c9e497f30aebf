// SPDX-License-Identifier: Apache-2.0
//
// Operators that libtorch does not have, as users register theirs.
#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include <chrono>
#include <thread>

namespace {

at::Tensor TwicePlus(const at::Tensor& x, double number) {
  return x.mul(2).add(number);
}

at::Tensor Slow(const at::Tensor& x, double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  return x.clone();
}

}  // namespace

TORCH_LIBRARY(mylib, library) {
  library.def("twice_plus(Tensor x, float number=1.0) -> Tensor", TwicePlus);
  library.def("slow(Tensor x, float seconds) -> Tensor", Slow);
}
