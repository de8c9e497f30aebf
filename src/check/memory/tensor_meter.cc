// SPDX-License-Identifier: Apache-2.0
#include "check/memory/tensor_meter.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "base/text.h"

namespace culprit::check {

/// libtorch tells it of every block, right after it was allocated and right before it is freed.
class TensorMeter::Listener : public c10::MemoryReportingInfoBase {
 public:
  explicit Listener(int64_t limit)
      : limit_(limit),
        outer_(dynamic_cast<c10::MemoryReportingInfoBase*>(
            c10::ThreadLocalDebugInfo::get(c10::DebugInfoKind::PROFILER_STATE))) {}

  void reportMemoryUsage(void* block, int64_t bytes, size_t allocated, size_t reserved,
                         c10::Device device) override {
    if (device.is_cpu() && !Count(block, bytes)) Refuse(block);
    if (outer_ != nullptr && outer_->memoryProfilingEnabled() && block != Refused())
      outer_->reportMemoryUsage(block, bytes, allocated, reserved, device);
  }

  bool memoryProfilingEnabled() const override { return true; }

  int64_t peak() const {
    const std::lock_guard lock(mutex_);
    return peak_;
  }
  bool has_refused() const {
    const std::lock_guard lock(mutex_);
    return has_refused_;
  }

 private:
  /// False if it is too much.
  bool Count(void* block, int64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes < 0) {
      const auto counted = blocks_.find(block);
      if (counted == blocks_.end()) return true;
      alive_ -= counted->second;
      blocks_.erase(counted);
      return true;
    }
    // Blocks of other allocators are not ours to give back.
    const bool can_refuse = c10::GetCPUAllocator() == c10::GetDefaultCPUAllocator();
    if (can_refuse && bytes > limit_ - alive_) {
      has_refused_ = true;
      return false;
    }
    alive_ += bytes;
    blocks_[block] = bytes;
    peak_ = std::max(peak_, alive_);
    return true;
  }

  /// The allocator has not handed the block out yet, and does not know that somebody may throw here.
  [[noreturn]] void Refuse(void* block) const {
    Refused() = block;
    c10::profiledCPUMemoryReporter().Delete(block);
    c10::free_cpu(block);
    Refused() = nullptr;
    throw TensorLimitError(
        fmt::format("it takes more than {} of memory", base::HumanBytes(static_cast<uint64_t>(limit_))));
  }

  /// By this thread, at this moment.
  static const void*& Refused() {
    thread_local const void* block = nullptr;
    return block;
  }

  const int64_t limit_;
  c10::MemoryReportingInfoBase* const outer_;
  mutable std::mutex mutex_;
  int64_t alive_ = 0;
  int64_t peak_ = 0;
  bool has_refused_ = false;
  std::unordered_map<const void*, int64_t> blocks_;
};

TensorMeter::TensorMeter(int64_t limit)
    : listener_(std::make_shared<Listener>(limit)), guard_(c10::DebugInfoKind::PROFILER_STATE, listener_) {}

int64_t TensorMeter::peak() const {
  return listener_->peak();
}

bool TensorMeter::has_refused() const {
  return listener_->has_refused();
}

}  // namespace culprit::check
