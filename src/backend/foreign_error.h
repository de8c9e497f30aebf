// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace culprit::backend {

/// What a compiler in another language threw. Its type has a name there: "torch._inductor.exc.InductorError".
class ForeignError : public std::runtime_error {
 public:
  ForeignError(std::string type, const std::string& message)
      : std::runtime_error(message), type_(std::move(type)) {}

  const std::string& type() const { return type_; }

 private:
  std::string type_;
};

}  // namespace culprit::backend
