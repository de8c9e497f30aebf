// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace culprit::autograd {

/// Thrown while a graph is traced that cannot become a functional one. It runs as it is then.
class Untraceable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace culprit::autograd
