// SPDX-License-Identifier: Apache-2.0
//
// The signal by which threads are asked for their stacks, and what its handler shares with who asks.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace culprit::isolate {

/// One thread that is asked. Its own handler fills it in, at most once.
struct StackSlot {
  static constexpr size_t kMostFrames = 128;

  pid_t thread = 0;
  std::atomic<bool> is_taken = false;
  /// The fields below are complete.
  std::atomic<bool> is_answered = false;
  size_t count = 0;
  std::array<void*, kMostFrames> addresses = {};
};

/// The signal, with our handler. Nothing if the program uses all real-time signals itself.
std::optional<int> TakeStackSignal();

/// As long as it lives, the handler answers; one at a time. A handler may still be at work when it ends: then
/// the slots are left to it for ever.
class StackQuestion {
 public:
  explicit StackQuestion(const std::vector<pid_t>& threads);
  ~StackQuestion();
  StackQuestion(const StackQuestion&) = delete;
  StackQuestion& operator=(const StackQuestion&) = delete;

  std::span<const StackSlot> slots() const { return *slots_; }

 private:
  std::unique_ptr<std::vector<StackSlot>> slots_;
};

}  // namespace culprit::isolate
