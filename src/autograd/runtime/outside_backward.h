// SPDX-License-Identifier: Apache-2.0
//
// The history of what was computed outside of this process's autograd, by somebody who can compute the
// gradients, too:
//
//   inputs  <-  outside backward (asks)  <-  outputs
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace culprit::autograd {

/// Who has computed outputs, and is asked for gradients. It is kept as long as anybody may ask.
class OutsideBackward {
 public:
  virtual ~OutsideBackward() = default;

  virtual std::string name() const = 0;
  /// One tangent per output, undefined where none came. Gives one gradient per input, undefined where it is
  /// not wanted or there is none. `keeps`: it may be asked again. Throws what it likes.
  virtual std::vector<at::Tensor> Run(const std::vector<at::Tensor>& tangents,
                                      const std::vector<bool>& wanted, bool keeps) = 0;
};

/// Outputs get a history, which leads to the inputs. These require gradients. An output is no view, and has
/// no history yet. `written` are inputs that were written into, each with the number of the output that it
/// became: from now on that is its history.
struct WrittenInput {
  at::Tensor input;
  size_t output = 0;
};
void SetOutsideHistory(std::span<const at::Tensor> inputs, std::span<const at::Tensor> outputs,
                       std::span<const WrittenInput> written, std::shared_ptr<OutsideBackward> outside);

}  // namespace culprit::autograd
