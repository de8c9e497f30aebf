// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/dtypes.h"

namespace culprit::graph {

bool HoldsNumbers(at::ScalarType dtype) {
  if (c10::isIntegralType(dtype, /*includeBool=*/true) || c10::isComplexType(dtype)) return true;
  return c10::isFloatingType(dtype) && dtype != at::ScalarType::Float4_e2m1fn_x2;
}

bool CanBeDrawn(at::ScalarType dtype) {
  return HoldsNumbers(dtype) && !c10::isFloat8Type(dtype);
}

bool IsUnsigned(at::ScalarType dtype) {
  return dtype == at::kBool || dtype == at::kByte || dtype == at::kUInt16 || dtype == at::kUInt32 ||
         dtype == at::kUInt64;
}

}  // namespace culprit::graph
