// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <memory>

namespace culprit::tests {

/// Hears of the memory that this thread's tensors take, as libtorch's profiler does.
class TensorMemory : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void* /*memory*/, int64_t bytes, size_t /*all*/, size_t /*reserved*/,
                         c10::Device /*device*/) override {
    peak_ = std::max(peak_, alive_ += bytes);
  }
  bool memoryProfilingEnabled() const override { return true; }

  int64_t peak() const { return peak_; }

 private:
  int64_t alive_ = 0;
  int64_t peak_ = 0;
};

/// How many bytes of tensors a call adds at its peak to what is alive before it.
inline int64_t PeakTensorBytes(const auto& work) {
  const auto memory = std::make_shared<TensorMemory>();
  const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, memory);
  work();
  return memory->peak();
}

}  // namespace culprit::tests
