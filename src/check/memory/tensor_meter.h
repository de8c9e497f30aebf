// SPDX-License-Identifier: Apache-2.0
//
// How much main memory the tensors take that this thread makes, as libtorch's profiler learns it; and a limit
// to that, where what is beyond it is an error of the operator that wants it, as if there were no more.
#pragma once

#include <c10/util/ThreadLocalDebugInfo.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>

namespace culprit::check {

/// Thrown by operators.
class TensorLimitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While it lives. Tensors that were there before do not count, nor when they go. Whoever listens already,
/// such as a profiler or another meter, goes on hearing of everything.
class TensorMeter {
 public:
  explicit TensorMeter(int64_t limit = std::numeric_limits<int64_t>::max());

  /// At most at a time, until now.
  int64_t peak() const;
  /// Whether somebody wanted more than the limit.
  bool has_refused() const;

 private:
  class Listener;

  std::shared_ptr<Listener> listener_;
  c10::DebugInfoGuard guard_;
};

}  // namespace culprit::check
