// SPDX-License-Identifier: Apache-2.0
#include "isolate/stacks/stack_signal.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "isolate/stacks/unwind.h"

namespace culprit::isolate {
namespace {

std::atomic<std::vector<StackSlot>*> asked = nullptr;
/// Handlers that may have seen `asked`. In this order, and sequentially consistent: whoever sets `asked` to
/// null and then counts none knows that nobody uses the slots.
std::atomic<int> handlers_at_work = 0;

void Answer(StackSlot& slot, const ucontext_t& interrupted) {
  if (slot.is_taken.exchange(true)) return;
  slot.count = Unwind(interrupted, slot.addresses);
  slot.is_answered.store(true);
}

void OnStackSignal(int, siginfo_t*, void* context) {
  const int error = errno;
  ++handlers_at_work;
  if (std::vector<StackSlot>* slots = asked.load()) {
    const pid_t self = gettid();
    for (StackSlot& slot : *slots) {
      if (slot.thread == self) Answer(slot, *static_cast<const ucontext_t*>(context));
    }
  }
  --handlers_at_work;
  errno = error;
}

bool IsDefault(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

bool IsOurs(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == OnStackSignal;
}

/// Whether the signal has our handler now. One that the program sets at the same moment is put back.
bool Take(int signal_number) {
  struct sigaction current = {};
  if (sigaction(signal_number, nullptr, &current) != 0) return false;
  if (IsOurs(current)) return true;
  if (!IsDefault(current)) return false;
  struct sigaction ours = {};
  ours.sa_sigaction = OnStackSignal;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigfillset(&ours.sa_mask);
  struct sigaction replaced = {};
  if (sigaction(signal_number, &ours, &replaced) != 0) return false;
  if (IsDefault(replaced) || IsOurs(replaced)) return true;
  sigaction(signal_number, &replaced, nullptr);
  return false;
}

}  // namespace

std::optional<int> TakeStackSignal() {
  // Programs count theirs from SIGRTMIN.
  for (int signal_number = SIGRTMAX; signal_number >= SIGRTMIN; --signal_number) {
    if (Take(signal_number)) return signal_number;
  }
  return std::nullopt;
}

StackQuestion::StackQuestion(const std::vector<pid_t>& threads)
    : slots_(std::make_unique<std::vector<StackSlot>>(threads.size())) {
  for (size_t i = 0; i < threads.size(); ++i) (*slots_)[i].thread = threads[i];
  asked.store(slots_.get());
}

StackQuestion::~StackQuestion() {
  asked.store(nullptr);
  if (handlers_at_work.load() != 0) static_cast<void>(slots_.release());
}

}  // namespace culprit::isolate
