// SPDX-License-Identifier: Apache-2.0
//
// What one asynchronous device (tests/lib/async_device.h) has to do.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace culprit::tests {

/// Thread-safe. Its thread starts with the first work and never ends, so a queue must live for ever.
class WorkQueue {
 public:
  using Work = std::function<void()>;

  void Push(Work work);
  /// As Push, unless somebody wanted the next computation to fail.
  void PushComputation(Work work);
  /// Waits until everything is done. Throws the first error, which is forgotten then, unless the device is
  /// broken.
  void Wait();
  void Reset();

  void FailNext(std::string message);
  void BreakNext(std::string message);
  void Hold();
  void Release();

  int64_t queued() const;
  int64_t waits() const;

 private:
  void Loop();
  /// What a computation does that was to fail.
  void Fail(const std::string& message);
  void WaitUntilDone(std::unique_lock<std::mutex>& lock);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> work_;
  bool has_thread_ = false;
  int holds_ = 0;
  int64_t waits_ = 0;
  std::optional<std::string> next_failure_;
  bool breaks_ = false;
  std::optional<std::string> error_;
  /// Of a broken device.
  std::optional<std::string> broken_;
};

/// Of the device with this index.
WorkQueue& QueueOf(int index);

}  // namespace culprit::tests
