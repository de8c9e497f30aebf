// SPDX-License-Identifier: Apache-2.0
#include "isolate/crash/crash_handler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "isolate/zygote.h"

namespace culprit::isolate {
namespace {

using testing::Contains;
using testing::HasSubstr;

// Not inlined: they are looked for by name.
volatile int sink = 0;

[[gnu::noinline]] void ReadFrom(volatile int* address) {
  sink = *address;
}
[[gnu::noinline]] void CallBroken(void (*function)()) {
  function();
  sink = 1;
}
[[gnu::noinline]] int Recurse(int depth) {
  volatile char frame[1000];
  frame[depth % 1000] = static_cast<char>(depth);
  return depth < 0 ? 0 : Recurse(depth + 1) + frame[0];
}
[[gnu::noinline]] void DivideBy(int divisor) {
  sink = 1 / divisor;
}
void Fail() {
  throw std::runtime_error("nobody catches this");
}
void FailNoexcept() noexcept {  // NOLINT(bugprone-exception-escape)
  Fail();
}

volatile int* AddressOf(const Message& request) {
  return std::bit_cast<volatile int*>(std::stoull(request.bytes, nullptr, 16));
}

constexpr Task kTasks[] = {
    {"read", [](const Message& request) { return ReadFrom(AddressOf(request)), Message{}; }},
    {"write read-only",
     [](const Message&) {
       void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       *static_cast<volatile int*>(page) = 1;
       return Message{};
     }},
    {"call",
     [](const Message& request) {
       return CallBroken(std::bit_cast<void (*)()>(std::stoull(request.bytes, nullptr, 16))), Message{};
     }},
    {"recurse", [](const Message&) { return Message{std::to_string(Recurse(0))}; }},
    {"divide", [](const Message&) { return DivideBy(0), Message{}; }},
    {"trap", [](const Message&) -> Message { __builtin_trap(); }},
    {"abort", [](const Message&) -> Message { abort(); }},
    {"noexcept", [](const Message&) { return FailNoexcept(), Message{}; }},
    {"thread throws",
     [](const Message&) {
       std::thread([] { throw 42; }).join();
       return Message{};
     }},
    {"thread reads null",
     [](const Message&) {
       std::thread([] { ReadFrom(nullptr); }).join();
       return Message{};
     }},
    {"complain and abort",
     [](const Message&) -> Message {
       std::fprintf(stderr, "free(): invalid pointer");
       abort();
     }},
    {"kill self", [](const Message&) { return kill(getpid(), SIGKILL), Message{}; }},
    {"terminate self", [](const Message&) { return raise(SIGTERM), Message{}; }},
    {"child crashes, then kill self",
     [](const Message&) -> Message {
       const pid_t child = fork();
       if (child == 0) ReadFrom(nullptr);
       int status = 0;
       waitpid(child, &status, 0);
       if (WIFSIGNALED(status)) kill(getpid(), SIGKILL);
       return {"it did not crash"};
     }},
    {"own handler",
     [](const Message&) {
       signal(SIGSEGV, [](int) { _exit(3); });
       return ReadFrom(nullptr), Message{};
     }},
};

class CrashHandlerTest : public testing::Test {
 protected:
  Outcome Run(std::string_view task, const std::string& request = {}) {
    return *zygote_->RunFresh(task, {request}, {.wall_time = std::chrono::seconds(20)});
  }
  Signal SignalOf(std::string_view task, const std::string& request = {}) {
    const Outcome outcome = Run(task, request);
    const Signal* signal = std::get_if<Signal>(&outcome.ending);
    EXPECT_NE(signal, nullptr) << outcome.ToString();
    return signal != nullptr ? *signal : Signal{};
  }

  const std::shared_ptr<const Zygote> zygote_ = *Zygote::Start(kTasks);
};

TEST_F(CrashHandlerTest, NamesTheFunctionsOfACrash) {
  const Signal signal = SignalOf("read", "10");
  EXPECT_EQ(signal.number, SIGSEGV);
  EXPECT_EQ(signal.address_class, AddressClass::kNullPage);
  EXPECT_EQ(signal.address, 0x10u);
  ASSERT_GE(signal.frames.size(), 3u);
  EXPECT_THAT(signal.frames[0].symbol, HasSubstr("ReadFrom(int volatile*)"));
  EXPECT_THAT(signal.frames[0].module, HasSubstr("isolate_test"));
  std::vector<std::string> symbols;
  for (const StackFrame& frame : signal.frames) symbols.push_back(frame.symbol);
  EXPECT_THAT(symbols, Contains(HasSubstr("culprit::isolate::ServeRequests")));
}

TEST_F(CrashHandlerTest, TellsAddressesApart) {
  const auto class_of = [&](const char* address) { return SignalOf("read", address).address_class; };
  EXPECT_EQ(class_of("0"), AddressClass::kNullPage);
  EXPECT_EQ(class_of("ffff"), AddressClass::kNullPage);
  EXPECT_EQ(class_of("12345678"), AddressClass::kUnmapped);
  EXPECT_EQ(class_of("dead00000000beef"), AddressClass::kNonCanonical);
  EXPECT_EQ(SignalOf("write read-only").address_class, AddressClass::kProtected);
}

TEST_F(CrashHandlerTest, TellsAStackOverflow) {
  const Outcome outcome = Run("recurse");
  EXPECT_THAT(outcome.ToString(), HasSubstr("SIGSEGV, stack overflow, in "));
  const Signal& signal = std::get<Signal>(outcome.ending);
  ASSERT_EQ(signal.frames.size(), CrashNote::kMaxFrames);
  EXPECT_THAT(signal.frames[5].symbol, HasSubstr("Recurse(int)"));
}

TEST_F(CrashHandlerTest, NamesTheCallerOfWhatIsNoCode) {
  for (const char* address : {"0", "12345678"}) {
    const Signal signal = SignalOf("call", address);
    EXPECT_EQ(signal.number, SIGSEGV);
    ASSERT_EQ(signal.frames.size(), 2u) << address;
    EXPECT_EQ(signal.frames[0].ToString(), std::string("0x") + address);
    EXPECT_THAT(signal.frames[1].symbol, HasSubstr("CallBroken"));
  }
}

TEST_F(CrashHandlerTest, KnowsOtherSignals) {
  EXPECT_THAT(Run("divide").ToString(), testing::MatchesRegex("SIGFPE, instruction, in .*DivideBy.*"));
  EXPECT_THAT(Run("trap").ToString(), HasSubstr("SIGILL, instruction, in "));
  EXPECT_EQ(Run("kill self").ToString(), "SIGKILL");
  EXPECT_EQ(Run("terminate self").ToString(), "SIGTERM");
}

TEST_F(CrashHandlerTest, ShowsWhoAborts) {
  const Signal signal = SignalOf("abort");
  EXPECT_EQ(signal.number, SIGABRT);
  EXPECT_EQ(signal.address_class, AddressClass::kNone);
  std::vector<std::string> symbols;
  for (const StackFrame& frame : signal.frames) symbols.push_back(frame.symbol);
  EXPECT_THAT(symbols, Contains("abort"));
}

TEST_F(CrashHandlerTest, KeepsWhatNobodyCaught) {
  EXPECT_EQ(SignalOf("noexcept").last_words, "std::runtime_error: nobody catches this");
  const Signal in_thread = SignalOf("thread throws");
  EXPECT_EQ(in_thread.number, SIGABRT);
  EXPECT_EQ(in_thread.last_words, "int");
}

TEST_F(CrashHandlerTest, SeesACrashInAnotherThread) {
  EXPECT_THAT(Run("thread reads null").ToString(),
              testing::MatchesRegex("SIGSEGV, null page, in .*ReadFrom.*"));
}

TEST_F(CrashHandlerTest, KeepsWhatWasPrintedBefore) {
  const Outcome outcome = Run("complain and abort");
  EXPECT_THAT(outcome.ToString(), HasSubstr("SIGABRT"));
  EXPECT_EQ(outcome.output, "free(): invalid pointer");
}

TEST_F(CrashHandlerTest, IgnoresCrashesOfTheChildsChildren) {
  EXPECT_EQ(Run("child crashes, then kill self").ToString(), "SIGKILL");
}

TEST_F(CrashHandlerTest, YieldsToAHandlerOfTheTask) {
  EXPECT_EQ(Run("own handler").ToString(), "exited with 3");
}

}  // namespace
}  // namespace culprit::isolate
