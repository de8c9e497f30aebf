// SPDX-License-Identifier: Apache-2.0
//
// A mutex that no other thread holds at the moment of a fork: a child that was forked while another thread
// was loading would wait for ever for a thread that it does not have.
//
// fork() takes all of them in some order. So whoever holds one takes no other, and forks nothing.
#pragma once

#include <mutex>

namespace culprit::compiler::jit {

class ForkSafeMutex {
 public:
  ForkSafeMutex();
  ~ForkSafeMutex();
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;

  // As the standard library calls them.
  void lock() { mutex_.lock(); }      // NOLINT
  void unlock() { mutex_.unlock(); }  // NOLINT

 private:
  std::mutex mutex_;
};

}  // namespace culprit::compiler::jit
