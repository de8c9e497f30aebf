// SPDX-License-Identifier: Apache-2.0
//
// How a TorchScript model is called.
#pragma once

#include <string>
#include <vector>

namespace culprit::explain {

struct CallRequest {
  /// Empty: forward, or the last function of a source text.
  std::string method = {};
  /// One text for each argument (docs/models.md).
  std::vector<std::string> inputs = {};
  /// Functions that run as written.
  std::vector<std::string> disabled = {};
  /// In training mode and with gradients.
  bool train = false;

  /// Whether anything is set: the file is a model then.
  bool is_given() const { return !method.empty() || !inputs.empty() || !disabled.empty() || train; }
};

}  // namespace culprit::explain
