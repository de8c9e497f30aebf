// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace culprit::backend {

/// Thrown by the part of a backend that is Culprit's own, which hands graphs to a compiler: it has no way to
/// hand over this one. That says nothing about the compiler, so it is never a failure of it (check/).
class Refusal : public std::runtime_error {
 public:
  explicit Refusal(const std::string& message, std::string help = "")
      : std::runtime_error(message), help_(std::move(help)) {}

  /// What to type instead; empty if there is nothing.
  const std::string& help() const { return help_; }

 private:
  std::string help_;
};

}  // namespace culprit::backend
