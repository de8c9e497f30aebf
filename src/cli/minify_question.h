// SPDX-License-Identifier: Apache-2.0
//
// Who answers while a program is made smaller, and in fresh processes when it is done: a compiler
// (compiler_question.h), or a program of the user (judge_question.h).
#pragma once

#include <memory>
#include <string>

#include "check/question/question.h"
#include "cli/minify_options.h"
#include "hunt/breakable_check.h"
#include "hunt/report.h"
#include "repro/repro.h"
#include "repro/run_folder.h"

namespace culprit::cli {

/// Hears of each run before it begins: which one it is, of how many as far as is known.
using OnRun = std::function<void(int run, int runs)>;

class MinifyQuestion {
 public:
  virtual ~MinifyQuestion() = default;

  /// With the header that all candidates have. As recorded: the failure is the one that the header records,
  /// if it does.
  virtual base::Status Begin(const repro::Header& header, bool as_recorded) = 0;
  /// An error if nobody can be asked.
  /// Quickly: in one run, which may miss a failure that comes only sometimes.
  virtual base::Result<check::Character> Characterize(const repro::Repro& repro, bool quickly,
                                                      const OnRun& on_run) = 0;
  /// From now on this is the failure, and this the folder of the run.
  virtual void Expect(const check::Expectation& expected, const repro::RunFolder& folder) = 0;

  /// Asks about the expected failure.
  virtual hunt::BreakableCheck& check() = 0;
  /// In a program that is started anew, and if the failure came back, some more times. An error if the
  /// program does not come to its end.
  virtual base::Result<hunt::Verification> Verify(const std::string& path) = 0;
  /// One query; nothing if no compiler answers.
  virtual check::AskOnce ask() = 0;
  /// What `culprit run` prints; nothing if it would not show the failure.
  virtual std::string Show(const std::string& path) const = 0;
};

/// Loads libraries and forks what has to be forked: first thing in a process. The options have to outlive it.
base::Result<std::unique_ptr<MinifyQuestion>> PrepareQuestion(const MinifyOptions& options);

/// A failure that depends on what is in memory by chance may come back once: asks more often.
void VerifyMoreTimes(minify::FailureCheck& check, const std::string& path, hunt::Verification& verification);

}  // namespace culprit::cli
