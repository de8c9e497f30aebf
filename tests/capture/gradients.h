// SPDX-License-Identifier: Apache-2.0
//
// What autograd makes of a call: arguments with and without a history, and several ways to go backward from
// what the call has left behind. Gradients, or that there is none, are facts for all leaves.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace culprit::tests {

/// What it is, and how it is.
using Fact = std::pair<std::string, std::string>;

enum class Backward : uint8_t {
  kSum,                  // of each output, so that tangents are expanded numbers
  kFirst,                // of the first output alone
  kTangents,             // random ones
  kTwice,                // the graph is retained, and the third time is one too many
  kAfterWritingOutputs,  // outputs that backward needs are no longer what they were
  kAfterWritingInputs,
};
constexpr Backward kAllBackward[] = {Backward::kSum,
                                     Backward::kFirst,
                                     Backward::kTangents,
                                     Backward::kTwice,
                                     Backward::kAfterWritingOutputs,
                                     Backward::kAfterWritingInputs};

enum class InputForm : uint8_t {
  kAsWritten,  // leaves
  kComputed,   // copies, which have a history if the leaf has gradients
  kViews,      // of something larger, whose gradients and contents are looked at too
};
constexpr InputForm kAllInputForms[] = {InputForm::kAsWritten, InputForm::kComputed, InputForm::kViews};

struct FormedInputs {
  std::vector<c10::IValue> values;
  /// Of views.
  std::vector<at::Tensor> bases;
};

/// Arguments that are floating or complex tensors in this form; the same tensor becomes the same one.
FormedInputs FormInputs(const std::vector<c10::IValue>& inputs, InputForm form);

using NamedLeaves = std::vector<std::pair<std::string, at::Tensor>>;

/// Tensors that gradients gather in.
NamedLeaves Leaves(const std::vector<c10::IValue>& inputs, const std::optional<torch::jit::Module>& module);

struct LeftBehind {
  c10::IValue result;
  std::vector<c10::IValue> inputs;
  std::vector<at::Tensor> bases;
  NamedLeaves leaves;
};

/// Goes backward from the result and from written inputs, and looks at the leaves.
std::vector<Fact> Gradients(const LeftBehind& left, Backward way);

}  // namespace culprit::tests
