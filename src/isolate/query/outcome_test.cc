// SPDX-License-Identifier: Apache-2.0
#include "isolate/query/outcome.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace culprit::isolate {
namespace {

using std::chrono::milliseconds;

std::string TextOf(Ending ending, const std::string& phase = "") {
  return Outcome{std::move(ending), phase}.ToString();
}

TEST(Outcome, IsShownInOneLine) {
  EXPECT_EQ(TextOf(Returned{{"abc"}}), "result of 3 bytes");
  EXPECT_EQ(TextOf(Exception{"std::bad_alloc", "no"}, "compile"), "in compile: std::bad_alloc: no");
  EXPECT_EQ(TextOf(NonstandardThrow{"int"}), "threw something of type int");
  EXPECT_EQ(TextOf(Timeout{Clock::kCpu, milliseconds(1500)}, "call 2"),
            "in call 2: took more than 1.5 s of CPU time");
  EXPECT_EQ(TextOf(MemoryLimit{1 << 30, 3 << 29}), "used 1.5 GiB of memory, more than 1.0 GiB");
  EXPECT_EQ(TextOf(Exit{0}), "exited with 0");
  EXPECT_EQ(TextOf(Garbage{"received nonsense"}), "received nonsense");
}

TEST(Outcome, ShowsASignalWithAllThatIsKnown) {
  EXPECT_EQ(TextOf(Signal{SIGKILL}), "SIGKILL");
  EXPECT_EQ(TextOf(Signal{SIGRTMIN + 1}), "signal " + std::to_string(SIGRTMIN + 1));
  EXPECT_EQ(TextOf(Signal{SIGABRT, AddressClass::kNone, 0, {}, "int"}), "SIGABRT, int");
  EXPECT_EQ(TextOf(Signal{SIGSEGV, AddressClass::kNullPage, 8, {{"/lib/x.so", 0x20, "f(int)"}, {}}}),
            "SIGSEGV, null page, in f(int)");
}

TEST(Outcome, NamesAFrameAsWellAsItCan) {
  EXPECT_EQ((StackFrame{"/lib/x.so", 0x20, "f(int)"}.ToString()), "f(int)");
  EXPECT_EQ((StackFrame{"/lib/x.so", 0x20, ""}.ToString()), "x.so+0x20");
  EXPECT_EQ((StackFrame{"", 0x7f00, ""}.ToString()), "0x7f00");
}

}  // namespace
}  // namespace culprit::isolate
