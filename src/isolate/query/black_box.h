// SPDX-License-Identifier: Apache-2.0
//
// Memory that the caller shares with a child and reads after its death. Writing into it takes no system call
// and no lock, so a crash handler can. The child may be damaged: the caller believes no length and no
// terminator in it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "isolate/wire/shared_memory.h"

namespace culprit::isolate {

/// Text in shared memory, cut off where it is too long.
template <size_t kSize>
struct FixedText {
  std::array<char, kSize> characters;

  void Set(std::string_view text) {
    const size_t length = text.copy(characters.data(), kSize - 1);
    characters[length] = '\0';
  }
  std::string Get() const {
    const std::string_view all(characters.data(), kSize);
    return std::string(all.substr(0, all.find('\0')));
  }
};

/// A place in code as a crash handler can note it.
struct RawFrame {
  uint64_t address;
  /// From where the module's addresses count; the module is empty for generated code.
  uint64_t module_begin;
  FixedText<240> module;
};

struct CrashNote {
  static constexpr size_t kMaxFrames = 64;

  /// Of several threads that crash, the first reports.
  std::atomic<uint32_t> is_claimed;
  /// 0 until the fields up to stack_overflow are written.
  std::atomic<int32_t> signal;
  int32_t code;
  uint64_t address;
  uint32_t is_stack_overflow;
  /// Frames that are written completely.
  std::atomic<uint32_t> frame_count;
  std::array<RawFrame, kMaxFrames> frames;
  /// Their functions, where the modules may be gone when somebody asks (companion.h); else empty.
  std::array<FixedText<480>, kMaxFrames> symbols;
};

struct BlackBox {
  /// The number of the last request that the child has taken.
  std::atomic<uint32_t> last_request;
  /// The child was done and could not send the answer: it has closed its socket.
  std::atomic<uint32_t> is_undeliverable;
  FixedText<128> phase;
  /// Nanoseconds; 0 until there is one (task.h).
  std::atomic<int64_t> yardstick;
  /// The pid of a process that works for the child (companion.h), and what it had used before: bytes and
  /// nanoseconds. 0 if there is none.
  std::atomic<int32_t> companion;
  std::atomic<uint64_t> companion_memory;
  std::atomic<int64_t> companion_time;
  /// What an exception said that nobody caught.
  FixedText<1000> last_words;
  CrashNote crash;
};

/// Zeros are its initial state, which is what fresh shared memory holds.
static_assert(std::is_trivially_destructible_v<BlackBox>);

inline BlackBox& BlackBoxIn(const SharedMemory& memory) {
  return *reinterpret_cast<BlackBox*>(memory.data());
}

/// The black box of this process, if it is a child.
BlackBox* OwnBlackBox();
void SetOwnBlackBox(BlackBox* box);

}  // namespace culprit::isolate
