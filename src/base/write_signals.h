// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <ctime>

namespace culprit::base {

/// While it lives, a write of this thread that cannot be done is an error (EPIPE, EFBIG) and no signal, which
/// would end a program that has nothing to do with it: SIGPIPE where nobody reads, SIGXFSZ where a file gets
/// larger than it may (ulimit -f).
class WriteSignalsBlocked {
 public:
  WriteSignalsBlocked() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGPIPE);
    sigaddset(&signals_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signals_, &old_mask_);
  }
  ~WriteSignalsBlocked() {
    // What came meanwhile is for this thread.
    const timespec at_once = {};
    while (sigtimedwait(&signals_, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
  }
  WriteSignalsBlocked(const WriteSignalsBlocked&) = delete;
  WriteSignalsBlocked& operator=(const WriteSignalsBlocked&) = delete;

 private:
  sigset_t signals_;
  sigset_t old_mask_;
};

}  // namespace culprit::base
