// SPDX-License-Identifier: Apache-2.0
//
// Small tensors whose numbers are known during a walk, since they were made of numbers alone: sizes that a
// trace has written as tensors, tensors that are constants of the program, and what is computed from these.
// Beside each fake is a real tensor with its numbers, and tensors that share memory in the program share it
// here.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace culprit::capture {

class KnownTensors {
 public:
  /// Tensors with more elements are data.
  static constexpr int64_t kMostElements = 64;

  static bool MayKnow(const at::Tensor& value);

  /// Keeps the value, which nobody else may write into.
  void Know(const at::Tensor& fake, const at::Tensor& value);
  /// A constant of the program, with the numbers that it had before the walk, unless the walk has written
  /// over them. They are an assumption from the moment that somebody asks for them.
  void KnowConstant(const at::Tensor& fake, const at::Tensor& constant);
  /// For values with tensors in them, one by one.
  void KnowAll(c10::ArrayRef<c10::IValue> fakes, c10::ArrayRef<c10::IValue> values);

  /// The arguments with the numbers of their tensors; nothing if there is no tensor, or one is not known.
  std::optional<torch::jit::Stack> ValuesOf(c10::ArrayRef<c10::IValue> arguments);

  bool Shares(const at::Tensor& fake) const;
  /// Whether it shares memory with a constant of the program, which is not ours to write into.
  bool SharesConstant(const at::Tensor& fake) const;
  /// Of all tensors that share memory with it.
  void Forget(const at::Tensor& fake);
  /// The walk writes into it, known or not.
  void NoteWrite(const at::Tensor& fake);

  /// Constants of the program whose numbers somebody has asked for, as fakes.
  const std::vector<at::Tensor>& used_constants() const { return used_constants_; }

 private:
  struct Known {
    at::Tensor fake;
    at::Tensor value;
    bool is_constant = false;
    bool is_used = false;
  };

  std::unordered_map<const at::TensorImpl*, Known> known_;
  std::unordered_set<const void*> written_memory_;
  std::vector<at::Tensor> used_constants_;
};

/// Those in the value, in lists and by themselves, one behind the other.
std::vector<at::Tensor> TensorsIn(const c10::IValue& value);

}  // namespace culprit::capture
