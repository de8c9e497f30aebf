// SPDX-License-Identifier: Apache-2.0
#include "isolate/crash/crash_handler.h"

#include <cxxabi.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <exception>

#include "isolate/stacks/type_name.h"
#include "isolate/stacks/unwind.h"

namespace culprit::isolate {
namespace {

constexpr int kCrashSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
constexpr unsigned kSecondsToUnwind = 2;

std::array<char, 256 << 10> handler_stack;
uint64_t stack_begin = 0;
pid_t child = 0;

/// Functions with large frames touch the stack far from its end.
bool IsBelowStack(uint64_t address) {
  constexpr uint64_t kAbove = 64 << 10;
  constexpr uint64_t kBelow = 16 << 20;
  return stack_begin != 0 && address < stack_begin + kAbove && address + kBelow > stack_begin;
}

void AddFrame(void* address, CrashNote& crash) {
  const uint32_t index = crash.frame_count.load();
  NoteFrame(address, crash.frames[index]);
  crash.frame_count.store(index + 1);
}

void NoteFrames(const ucontext_t& interrupted, CrashNote& crash) {
  void* const instruction = InstructionOf(interrupted);
  const bool is_address_fault = crash.signal.load() == SIGSEGV || crash.signal.load() == SIGBUS;
  if (is_address_fault && reinterpret_cast<uint64_t>(instruction) == crash.address) {
    // A call to where there is no code, which the unwinder does not survive. Who called is still known.
    AddFrame(instruction, crash);
    if (void* const caller = ReturnAddressOf(interrupted); IsInModule(caller)) AddFrame(caller, crash);
    return;
  }
  std::array<void*, CrashNote::kMaxFrames> addresses;
  const size_t count = Unwind(interrupted, addresses);
  for (size_t i = 0; i < count; ++i) AddFrame(addresses[i], crash);
}

void DieOf(int signal_number) {
  signal(signal_number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal_number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal_number);
}

void OnCrash(int signal_number, siginfo_t* info, void* context) {
  // A process that the child has forked is its own business.
  if (getpid() != child) return DieOf(signal_number);
  CrashNote& crash = OwnBlackBox()->crash;
  if (crash.is_claimed.exchange(1) != 0) {
    while (true) pause();
  }
  crash.code = info->si_code;
  // The same bytes of a sent signal hold its sender.
  crash.address = info->si_code > 0 ? reinterpret_cast<uint64_t>(info->si_addr) : 0;
  crash.is_stack_overflow = signal_number == SIGSEGV && info->si_code > 0 && IsBelowStack(crash.address);
  crash.signal.store(signal_number);
  alarm(kSecondsToUnwind);
  NoteFrames(*static_cast<const ucontext_t*>(context), crash);
  DieOf(signal_number);
}

/// std::terminate says nothing that could be caught.
void NoteLastWords() {
  FixedText<1000>& last_words = OwnBlackBox()->last_words;
  if (const std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& error) {
      last_words.Set(TypeName(typeid(error)) + ": " + error.what());
    } catch (...) {
      last_words.Set(TypeName(*abi::__cxa_current_exception_type()));
    }
  }
  std::abort();
}

void FindStack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* begin = nullptr;
  size_t size = 0;
  if (pthread_attr_getstack(&attributes, &begin, &size) == 0) stack_begin = reinterpret_cast<uint64_t>(begin);
  pthread_attr_destroy(&attributes);
}

}  // namespace

void PrepareCrashHandler() {
  // An endless recursion has to end in an overflow, not in the limit on memory.
  constexpr rlim_t kStackBytes = 8 << 20;
  rlimit limit = {};
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur > kStackBytes) {
    limit.rlim_cur = kStackBytes;
    setrlimit(RLIMIT_STACK, &limit);
  }
  FindStack();
  PrepareToUnwind();
}

void InstallCrashHandler() {
  child = getpid();
  stack_t stack = {};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = OnCrash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  // A crash of the handler itself is final. The alarm gets through.
  sigfillset(&action.sa_mask);
  sigdelset(&action.sa_mask, SIGALRM);
  for (const int signal_number : kCrashSignals) sigaction(signal_number, &action, nullptr);
  std::set_terminate(NoteLastWords);
}

}  // namespace culprit::isolate
