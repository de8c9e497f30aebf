// SPDX-License-Identifier: Apache-2.0
#include "isolate/stacks/thread_stacks.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "isolate/stacks/stack_signal.h"
#include "isolate/stacks/symbolize.h"
#include "isolate/stacks/thread_status.h"
#include "isolate/stacks/unwind.h"

namespace culprit::isolate {
namespace {

using std::chrono::milliseconds;

/// A thread that is asked, beside what its handler notes.
struct Asked {
  bool is_sent = false;
  bool has_ended = false;
  /// As it was when it was last looked at.
  ThreadStatus status = {};
};

/// Sends what can be sent. Whether the thread may still answer.
bool Ask(const StackSlot& slot, int signal_number, Asked& asked) {
  if (slot.is_answered.load() || asked.has_ended) return false;
  if (const std::optional<ThreadStatus> status = StatusOfThread(slot.thread))
    asked.status = *status;
  else
    asked.has_ended = true;
  const bool is_deaf = asked.status.Blocks(signal_number) || asked.status.waits_for_signals;
  if (!asked.has_ended && !asked.is_sent && !is_deaf)
    asked.is_sent = tgkill(getpid(), slot.thread, signal_number) == 0;
  return !asked.has_ended;
}

std::vector<Asked> AskAll(std::span<const StackSlot> slots, int signal_number, milliseconds patience) {
  std::vector<Asked> asked(slots.size());
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    bool may_answer = false;
    for (size_t i = 0; i < slots.size(); ++i) may_answer |= Ask(slots[i], signal_number, asked[i]);
    if (!may_answer || std::chrono::steady_clock::now() >= deadline) return asked;
    std::this_thread::sleep_for(milliseconds(1));
  }
}

std::string WhyMissing(const Asked& asked, int signal_number, milliseconds patience) {
  const std::string text = fmt::format("did not answer within {} ms", patience.count());
  if (asked.status.waits_for_signals) return text + " (it waits for signals)";
  if (asked.status.Blocks(signal_number)) return text + " (it blocks signals)";
  return fmt::format("{} (its state is {})", text, asked.status.state);
}

RawStack RawStackOf(const StackSlot& slot) {
  RawStack stack(slot.count);
  for (size_t i = 0; i < slot.count; ++i) NoteFrame(slot.addresses[i], stack[i]);
  return stack;
}

std::vector<ThreadStack> Collect(const std::vector<pid_t>& threads, int signal_number,
                                 milliseconds patience) {
  PrepareToUnwind();
  const StackQuestion question(threads);
  const std::vector<Asked> asked = AskAll(question.slots(), signal_number, patience);
  std::vector<ThreadStack> stacks;
  std::vector<RawStack> raw_stacks;
  for (size_t i = 0; i < threads.size(); ++i) {
    const StackSlot& slot = question.slots()[i];
    const bool is_answered = slot.is_answered.load();
    if (asked[i].has_ended && !is_answered) continue;
    stacks.push_back({threads[i], asked[i].status.name});
    if (!is_answered) stacks.back().missing = WhyMissing(asked[i], signal_number, patience);
    raw_stacks.push_back(is_answered ? RawStackOf(slot) : RawStack());
  }
  std::vector<std::vector<StackFrame>> frames = Symbolize(raw_stacks);
  for (size_t i = 0; i < stacks.size(); ++i) stacks[i].frames = std::move(frames[i]);
  return stacks;
}

std::vector<ThreadStack> AllMissing(const std::vector<pid_t>& threads, const std::string& why) {
  std::vector<ThreadStack> stacks;
  for (const pid_t thread : threads) {
    if (const std::optional<ThreadStatus> status = StatusOfThread(thread))
      stacks.push_back({.id = thread, .name = status->name, .missing = why});
  }
  return stacks;
}

}  // namespace

std::vector<ThreadStack> StacksOfAllThreads(milliseconds patience) {
  static std::mutex& one_at_a_time = *new std::mutex;
  const std::lock_guard lock(one_at_a_time);
  std::vector<pid_t> threads = ThreadsOfThisProcess();
  std::erase(threads, gettid());
  if (const std::optional<int> signal_number = TakeStackSignal())
    return Collect(threads, *signal_number, patience);
  return AllMissing(threads, "cannot be asked, since the program uses all real-time signals");
}

std::string ToText(const std::vector<ThreadStack>& stacks) {
  std::string text;
  for (const ThreadStack& stack : stacks) {
    text += fmt::format("thread {} \"{}\"\n", stack.id, stack.name);
    if (!stack.missing.empty()) text += fmt::format("  {}\n", stack.missing);
    for (size_t i = 0; i < stack.frames.size(); ++i)
      text += fmt::format("  {:<3} {}\n", fmt::format("#{}", i), stack.frames[i].ToString());
  }
  return text;
}

}  // namespace culprit::isolate
