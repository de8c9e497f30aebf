// SPDX-License-Identifier: Apache-2.0
#include "process/parallel.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <vector>

#include "base/internal_error.h"

extern "C" {
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);  // NOLINT
int omp_in_parallel(void);                                                              // NOLINT
int omp_get_thread_num(void);                                                           // NOLINT
}

namespace culprit::process {
namespace {

class Loop {
 public:
  using Work = std::function<void(int64_t, int64_t)>;

  Loop(int64_t begin, int64_t end, int64_t grain, size_t threads, const Work& work)
      : end_(end), grain_(grain), work_(work), shares_(threads) {
    const int64_t pieces = begin < end ? (end - begin - 1) / grain + 1 : 0;
    const auto count = static_cast<int64_t>(threads);
    for (int64_t i = 0; i < count; ++i) {
      shares_[i].next = begin + pieces * i / count * grain;
      shares_[i].end = std::min(end, begin + pieces * (i + 1) / count * grain);
    }
  }

  /// What every thread does. Exceptions must not leave it: libgomp is C.
  void TakePieces(size_t thread) noexcept {
    try {
      for (size_t i = 0; i < shares_.size(); ++i) TakeFrom(shares_[(thread + i) % shares_.size()]);
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }

  void RethrowError() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static constexpr size_t kBytesOfLine = 64;
  /// Each in a line of its own, which one thread has most of the time.
  struct alignas(kBytesOfLine) Share {
    std::atomic<int64_t> next = 0;
    int64_t end = 0;
  };

  void TakeFrom(Share& share) {
    while (!failed_.load(std::memory_order_relaxed)) {
      const int64_t begin = share.next.fetch_add(grain_, std::memory_order_relaxed);
      if (begin >= share.end) return;
      work_(begin, std::min(end_, begin + grain_));
    }
  }

  const int64_t end_;
  const int64_t grain_;
  const Work& work_;
  std::vector<Share> shares_;
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;
};

}  // namespace

void ParallelFor(int64_t begin, int64_t end, int64_t grain,
                 const std::function<void(int64_t begin, int64_t end)>& work) {
  CULPRIT_CHECK(grain > 0, "a grain of {}", grain);
  const bool is_serial = end - begin <= grain || at::get_num_threads() == 1 || omp_in_parallel() != 0;
  Loop loop(begin, end, grain, is_serial ? 1 : static_cast<size_t>(at::get_num_threads()), work);
  const auto take = [](void* data) {
    static_cast<Loop*>(data)->TakePieces(static_cast<size_t>(omp_get_thread_num()));
  };
  // Always the whole team (0): libgomp ends and starts threads whenever the size of the team changes.
  if (is_serial)
    loop.TakePieces(0);
  else
    GOMP_parallel(take, &loop, 0, 0);
  loop.RethrowError();
}

}  // namespace culprit::process
