// SPDX-License-Identifier: Apache-2.0
#include "process/parallel.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "base/internal_error.h"

extern "C" {
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);  // NOLINT
int omp_in_parallel(void);                                                              // NOLINT
}

namespace culprit::process {
namespace {

class Loop {
 public:
  Loop(int64_t begin, int64_t end, int64_t grain, const std::function<void(int64_t, int64_t)>& work)
      : end_(end), grain_(grain), work_(work), next_(begin) {}

  /// What every thread does. Exceptions must not leave it: libgomp is C.
  void TakePieces() noexcept {
    try {
      while (!failed_.load(std::memory_order_relaxed)) {
        const int64_t begin = next_.fetch_add(grain_, std::memory_order_relaxed);
        if (begin >= end_) return;
        work_(begin, std::min(end_, begin + grain_));
      }
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }

  void RethrowError() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const int64_t end_;
  const int64_t grain_;
  const std::function<void(int64_t, int64_t)>& work_;
  std::atomic<int64_t> next_;
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;
};

}  // namespace

void ParallelFor(int64_t begin, int64_t end, int64_t grain,
                 const std::function<void(int64_t begin, int64_t end)>& work) {
  CULPRIT_CHECK(grain > 0, "a grain of {}", grain);
  Loop loop(begin, end, grain, work);
  if (end - begin <= grain || at::get_num_threads() == 1 || omp_in_parallel() != 0) {
    loop.TakePieces();
  } else {
    // Always the whole team (0): libgomp ends and starts threads whenever the size of the team changes.
    GOMP_parallel([](void* data) { static_cast<Loop*>(data)->TakePieces(); }, &loop, 0, 0);
  }
  loop.RethrowError();
}

}  // namespace culprit::process
