// SPDX-License-Identifier: Apache-2.0
#include "isolate/crash_report.h"

#include <signal.h>

#include <algorithm>
#include <map>

#include "isolate/symbol_file.h"
#include "isolate/type_name.h"

namespace culprit::isolate {
namespace {

/// What the kernel never maps, so that null pointers to large objects are noticed.
constexpr uint64_t kNullPageBytes = 64 << 10;

AddressClass ClassOf(const CrashRecord& crash, int signal_number) {
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

std::vector<Frame> FramesOf(const CrashRecord& crash) {
  std::vector<Frame> frames;
  std::map<std::string, std::vector<size_t>> frames_of_module;
  const size_t count = std::min<size_t>(crash.frame_count.load(), CrashRecord::kMaxFrames);
  for (size_t i = 0; i < count; ++i) {
    const RawFrame& raw = crash.frames[i];
    frames.push_back({raw.module.Get(), raw.address - raw.module_begin, ""});
    if (!frames.back().module.empty()) frames_of_module[frames.back().module].push_back(i);
  }
  for (const auto& [module, indices] : frames_of_module) {
    std::vector<uint64_t> addresses;
    // All but the innermost are return addresses, and the function may end with the call.
    for (const size_t i : indices) addresses.push_back(frames[i].address - (i > 0 ? 1 : 0));
    const std::vector<std::string> names = FunctionsAt(module, addresses);
    for (size_t n = 0; n < indices.size(); ++n) frames[indices[n]].symbol = Demangle(names[n]);
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
