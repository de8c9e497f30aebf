// SPDX-License-Identifier: Apache-2.0
//
// How a query ended. Whatever the child did, it is one of these:
//
//   Returned          the task returned
//   Exception         it threw a std::exception
//   NonstandardThrow  it threw something else
//   Signal            it crashed, or somebody killed it
//   Timeout           it used up its wall time or its CPU time, and was killed
//   MemoryLimit       it used up its memory, and was killed
//   Exit              it called exit() or _exit(), be it with 0
//   Garbage           what it sent is no answer, or it cut its own connection
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "isolate/wire/message.h"

namespace culprit::isolate {

struct Returned {
  Message message;
};

struct Exception {
  std::string type;
  std::string message;
};

struct NonstandardThrow {
  std::string type;
};

/// A native frame, the innermost first.
struct StackFrame {
  /// The path of the library or program; empty for code that was generated at run time.
  std::string module;
  /// In the module; without one, in memory.
  uint64_t address = 0;
  /// The function, demangled; empty if the module does not say.
  std::string symbol;

  /// "culprit::Fold(int)", "libtorch_cpu.so+0x1234", "0x7f0012340000".
  std::string ToString() const;
};

enum class AddressClass {
  kNone,           // of signals that are sent, as by abort()
  kNullPage,       // a null pointer or a member of what it does not point to
  kStackOverflow,  // just below the stack
  kUnmapped,       // nothing is there
  kProtected,      // something is there, but not for this
  kNonCanonical,   // no address at all
  kInstruction,    // of SIGILL, SIGFPE: the instruction is wrong, not an address
};
std::string_view NameOf(AddressClass address_class);

/// "SIGSEGV"; "signal 34" for one without a name.
std::string SignalName(int number);

struct Signal {
  int number = 0;
  AddressClass address_class = AddressClass::kNone;
  uint64_t address = 0;
  std::vector<StackFrame> frames = {};
  /// Of the exception that nobody caught, if that was the reason: "std::runtime_error: message".
  std::string last_words = {};
};

enum class Clock { kWall, kCpu };

struct Timeout {
  Clock clock = Clock::kWall;
  std::chrono::nanoseconds limit = {};
};

struct MemoryLimit {
  uint64_t limit = 0;
  /// When it was noticed.
  uint64_t used = 0;
};

struct Exit {
  int code = 0;
};

struct Garbage {
  std::string what;
};

using Ending =
    std::variant<Returned, Exception, NonstandardThrow, Signal, Timeout, MemoryLimit, Exit, Garbage>;

struct Outcome {
  Ending ending;
  /// The last that the task announced; may be empty.
  std::string phase = {};
  /// Standard output and standard error together; of long output the beginning and the end.
  std::string output = {};
  /// How much the child wrote.
  uint64_t output_bytes = 0;
  std::chrono::nanoseconds wall_time = {};

  bool ok() const { return std::holds_alternative<Returned>(ending); }
  /// One line, such as "in compile: SIGSEGV, null page, in culprit::Fold(int)".
  std::string ToString() const;
};

}  // namespace culprit::isolate
