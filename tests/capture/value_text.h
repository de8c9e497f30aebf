// SPDX-License-Identifier: Apache-2.0
//
// Values as text that tells identity, geometry and bits; see tests/capture/observe.h.
#pragma once

#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

namespace culprit::tests {

/// Keeps the numbers of memory and containers, and keeps them alive, so that no address is used twice.
class ValueText {
 public:
  std::string Of(const c10::IValue& value);
  /// Gives numbers to what is in the value, without a text.
  void Meet(const c10::IValue& value) { Of(value); }
  /// Contents of containers are shown once per text; this begins the next one.
  void BeginText() { shown_.clear(); }

 private:
  std::string OfTensor(const at::Tensor& tensor);
  std::string OfContainer(const c10::IValue& value);
  std::string Contents(const c10::IValue& value);
  size_t NumberOf(const c10::IValue& container);
  size_t NumberOf(const c10::Storage& storage);

  std::vector<c10::Storage> storages_;
  std::vector<c10::IValue> containers_;
  std::vector<size_t> shown_;
};

}  // namespace culprit::tests
