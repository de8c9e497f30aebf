// SPDX-License-Identifier: Apache-2.0
#include "repro/constant_bytes.h"

#include "store/file_contents.h"

namespace culprit::repro {

bool CanBeWritten(const at::Tensor& constant) {
  return graph::IsPlain(constant) && constant.device().is_cpu();
}

ConstantBytes BytesOfConstant(const at::Tensor& constant) {
  ConstantBytes result{.tensor = constant.detach().resolve_conj().resolve_neg()};
  const at::ScalarType dtype = result.tensor.scalar_type();
  result.dtype = c10::isComplexType(dtype) ? c10::toRealValueType(dtype) : dtype;
  result.geometry = graph::Geometry::Of(result.tensor);
  const size_t first = static_cast<size_t>(result.geometry.offset) * result.tensor.element_size();
  result.geometry.offset = 0;
  if (result.tensor.numel() > 0)
    result.bytes =
        store::BytesOf(result.tensor.storage()).subspan(first, graph::ReachedBytes(result.geometry));
  return result;
}

}  // namespace culprit::repro
