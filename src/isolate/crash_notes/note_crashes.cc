// SPDX-License-Identifier: Apache-2.0
//
// The crash handler as a shared library, for servers of compilers that are written in other languages.
#include <sys/mman.h>
#include <unistd.h>

#include "isolate/crash/crash_handler.h"

/// `black_box` is a descriptor that the server was given. Returns 0, or -1 if that is no black box.
// Named as C programs and Python know it.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((visibility("default"))) int culprit_note_crashes(int black_box) {
  using culprit::isolate::BlackBox;
  void* box = mmap(nullptr, sizeof(BlackBox), PROT_READ | PROT_WRITE, MAP_SHARED, black_box, 0);
  if (box == MAP_FAILED) return -1;
  culprit::isolate::SetOwnBlackBox(static_cast<BlackBox*>(box));
  culprit::isolate::PrepareCrashHandler();
  culprit::isolate::InstallCrashHandler();
  return 0;
}
