// SPDX-License-Identifier: Apache-2.0
//
// Elements of the reference that no run decides, since they come from memory that nobody wrote. Whatever the
// result has there is right:
//
//   x = empty(4); x[:2] = 1      the last two elements are undefined, and the first two have to be 1
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <map>
#include <string>

namespace culprit::compare {

class UndefinedElements {
 public:
  /// Adds the elements that differ between two runs of the reference. Tensors that cannot be compared one by
  /// one are left out.
  void Add(const c10::IValue& run, const c10::IValue& other);

  /// The tensor, with zeros for its undefined elements. It is dense then, as compare sees it
  /// (tensor_structure.h).
  at::Tensor SetAside(const std::string& path, const at::Tensor& tensor) const;

  /// By path: true for what is undefined. Only where something is.
  const std::map<std::string, at::Tensor>& masks() const { return masks_; }

 private:
  std::map<std::string, at::Tensor> masks_;
};

}  // namespace culprit::compare
