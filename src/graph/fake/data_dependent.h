// SPDX-License-Identifier: Apache-2.0
//
// What cannot be known of an operator without its tensors' numbers:
//
//   nonzero(x), masked_select(x, m), x[mask]     the size of the result
//   x.item(), equal(x, y), `if x:`               the result itself
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <exception>
#include <string>

namespace culprit::graph::fake {

/// Thrown by a call on fake tensors instead of an invented answer.
class DataDependent : public std::exception {
 public:
  explicit DataDependent(const c10::OperatorHandle& op);

  /// "aten::repeat_interleave.Tensor"
  const std::string& op() const { return op_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string op_;
  std::string message_;
};

enum class DataDependence { kNever, kOnArguments, kAlways };

/// By the operator's name. With kOnArguments, `DependsWith` decides for each call.
DataDependence DependenceOf(const c10::OperatorHandle& op);
bool DependsWith(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

}  // namespace culprit::graph::fake
