// SPDX-License-Identifier: Apache-2.0
//
// A check that asks somebody else, which may become impossible: nothing can be forked, the disk is full, the
// judge does not start. From then on it gives no answers, and says why.
#pragma once

#include <mutex>
#include <optional>

#include "base/diagnostic.h"
#include "minify/failure_check.h"

namespace culprit::hunt {

class BreakableCheck : public minify::FailureCheck {
 public:
  /// Why no question can be asked any more, if that is so.
  std::optional<base::Diagnostic> broken() const {
    const std::lock_guard lock(mutex_);
    return broken_;
  }

 protected:
  /// The first reason is kept.
  minify::Reply Break(base::Diagnostic why) {
    const std::lock_guard lock(mutex_);
    if (!broken_) broken_ = std::move(why);
    return {.is_answer = false};
  }

 private:
  mutable std::mutex mutex_;
  std::optional<base::Diagnostic> broken_;
};

}  // namespace culprit::hunt
