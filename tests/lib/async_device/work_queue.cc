// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/async_device/work_queue.h"

#include <c10/util/Exception.h>

#include <array>
#include <exception>
#include <thread>

#include "tests/lib/async_device.h"

namespace culprit::tests {

void WorkQueue::Push(Work work) {
  const std::lock_guard lock(mutex_);
  TORCH_CHECK(!broken_, *broken_);
  if (!has_thread_) std::thread([this] { Loop(); }).detach();
  has_thread_ = true;
  work_.push_back(std::move(work));
  changed_.notify_all();
}

void WorkQueue::PushComputation(Work work) {
  std::optional<std::string> failure;
  {
    const std::lock_guard lock(mutex_);
    failure.swap(next_failure_);
  }
  if (failure) work = [this, message = *failure] { Fail(message); };
  Push(std::move(work));
}

void WorkQueue::Fail(const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (breaks_) broken_ = message;
  TORCH_CHECK(false, message);
}

void WorkQueue::Wait() {
  std::unique_lock lock(mutex_);
  ++waits_;
  WaitUntilDone(lock);
  TORCH_CHECK(!broken_, *broken_);
  std::optional<std::string> error;
  error.swap(error_);
  TORCH_CHECK(!error, *error);
}

void WorkQueue::Reset() {
  std::unique_lock lock(mutex_);
  WaitUntilDone(lock);
  error_.reset();
  broken_.reset();
  breaks_ = false;
  next_failure_.reset();
  waits_ = 0;
}

void WorkQueue::FailNext(std::string message) {
  const std::lock_guard lock(mutex_);
  next_failure_ = std::move(message);
}

void WorkQueue::BreakNext(std::string message) {
  const std::lock_guard lock(mutex_);
  next_failure_ = std::move(message);
  breaks_ = true;
}

void WorkQueue::Hold() {
  const std::lock_guard lock(mutex_);
  ++holds_;
}

void WorkQueue::Release() {
  const std::lock_guard lock(mutex_);
  --holds_;
  changed_.notify_all();
}

int64_t WorkQueue::queued() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(work_.size());
}

int64_t WorkQueue::waits() const {
  const std::lock_guard lock(mutex_);
  return waits_;
}

void WorkQueue::WaitUntilDone(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [this] { return work_.empty(); });
}

void WorkQueue::Loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !work_.empty() && holds_ == 0; });
    Work work = std::move(work_.front());
    lock.unlock();
    std::optional<std::string> error;
    try {
      work();
    } catch (const c10::Error& thrown) {
      error = thrown.what_without_backtrace();
    } catch (const std::exception& thrown) {
      error = thrown.what();
    }
    work = nullptr;
    lock.lock();
    if (!error_) error_ = error;
    work_.pop_front();
    changed_.notify_all();
  }
}

WorkQueue& QueueOf(int index) {
  static auto& queues = *new std::array<WorkQueue, AsyncDevice::kCount>;
  return queues.at(index);
}

}  // namespace culprit::tests
