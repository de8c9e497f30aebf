// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/wrapped_number.h"

#include <ATen/ops/scalar_tensor.h>

namespace culprit::graph {

at::Tensor WrappedNumber(const c10::IValue& number) {
  const at::Scalar scalar = number.toScalar();
  at::Tensor tensor = at::scalar_tensor(scalar, at::dtype(scalar.type()).device(at::kCPU));
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

}  // namespace culprit::graph
