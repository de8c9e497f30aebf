// SPDX-License-Identifier: Apache-2.0
#include "isolate/crash/crash_report.h"

#include <signal.h>

#include <algorithm>

#include "isolate/stacks/symbolize.h"

namespace culprit::isolate {
namespace {

/// What the kernel never maps, so that null pointers to large objects are noticed.
constexpr uint64_t kNullPageBytes = 64 << 10;

AddressClass ClassOf(const CrashNote& crash, int signal_number) {
  if (crash.code <= 0) return AddressClass::kNone;
  if (signal_number == SIGILL || signal_number == SIGFPE || signal_number == SIGTRAP)
    return AddressClass::kInstruction;
  if (signal_number != SIGSEGV && signal_number != SIGBUS) return AddressClass::kNone;
  if (crash.is_stack_overflow != 0) return AddressClass::kStackOverflow;
  // The processor does not tell which address it was.
  if (crash.code == SI_KERNEL) return AddressClass::kNonCanonical;
  if (crash.address < kNullPageBytes) return AddressClass::kNullPage;
  const bool is_protected = signal_number == SIGSEGV && crash.code != SEGV_MAPERR;
  return is_protected ? AddressClass::kProtected : AddressClass::kUnmapped;
}

std::vector<StackFrame> FramesOf(const CrashNote& crash) {
  const size_t count = std::min<size_t>(crash.frame_count.load(), CrashNote::kMaxFrames);
  const RawStack stack(crash.frames.begin(), crash.frames.begin() + count);
  std::vector<StackFrame> frames = std::move(Symbolize({stack}).front());
  for (size_t i = 0; i < frames.size(); ++i) {
    if (std::string known = crash.symbols[i].Get(); !known.empty()) frames[i].symbol = std::move(known);
  }
  return frames;
}

}  // namespace

Signal ReportCrash(const BlackBox& box, int fallback_signal) {
  const int noted = box.crash.signal.load();
  if (noted == 0) return {.number = fallback_signal, .last_words = box.last_words.Get()};
  return {noted, ClassOf(box.crash, noted), box.crash.address, FramesOf(box.crash), box.last_words.Get()};
}

}  // namespace culprit::isolate
