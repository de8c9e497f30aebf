// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/each_in_parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace culprit::compiler::jit {
namespace {

class Team {
 public:
  Team(size_t count, const std::function<void(size_t)>& work) : count_(count), work_(work) {}

  void TakeTurns() noexcept {
    try {
      while (!failed_) {
        const size_t index = next_++;
        if (index >= count_) return;
        work_(index);
      }
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }

  void RethrowError() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const size_t count_;
  const std::function<void(size_t)>& work_;
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;
};

}  // namespace

void EachInParallel(size_t count, const std::function<void(size_t)>& work) {
  Team team(count, work);
  const size_t members = std::min<size_t>(count, std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> others;
    try {
      while (others.size() + 1 < members) others.emplace_back(&Team::TakeTurns, &team);
    } catch (const std::system_error&) {
      // No more threads for this process: those that there are do it.
    }
    team.TakeTurns();
  }
  team.RethrowError();
}

}  // namespace culprit::compiler::jit
