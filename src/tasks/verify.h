// SPDX-License-Identifier: Apache-2.0
//
// Does the failure that a file records come back? The file is asked several times, each time in a process that has seen
// nothing but the file: this program, started anew, or a worker of a launcher that is a new process.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "tasks/ask.h"

namespace culprit::tasks {

struct VerifyRequest {
  AskRequest ask;
  uint64_t times = 3;
  /// A command that starts workers (workers.h); empty: this program is started anew.
  std::string launcher = {};
  /// Workers at a time.
  uint64_t jobs = 1;
};

/// How often each answer came.
struct Tally {
  uint64_t same = 0;
  uint64_t asked = 0;
  /// Eager itself failed.
  uint64_t invalid = 0;
  /// The other answers: "passes", "other failure: compile: signal SIGSEGV".
  std::map<std::string, uint64_t> others = {};
  std::string signature = {};
  /// What to type, if a limit ended the last one.
  std::string help = {};

  void Add(const check::QuestionReply& reply);
  /// "always", "sometimes" or "never".
  std::string_view word() const;
};

struct VerifyListener {
  /// What is waited for: "process 2 of 3".
  std::function<void(const std::string&)> on_phase = [](const std::string&) {};
  /// What became of workers.
  std::function<void(const std::string&)> on_note = [](const std::string&) {};
};

/// An error if there is no question, or nobody can be asked.
base::Result<Tally> Verify(const VerifyRequest& request, const VerifyListener& listener);

}  // namespace culprit::tasks
