// SPDX-License-Identifier: Apache-2.0
//
// Who answers while a program is made smaller, and in fresh processes when it is done: a compiler, or a
// program of the user.
#pragma once

#include <memory>
#include <optional>

#include "check/query_task.h"
#include "check/question.h"
#include "cli/minify_options.h"
#include "hunt/isolated_check.h"
#include "hunt/outside_judge.h"
#include "hunt/plan.h"
#include "hunt/report.h"

namespace culprit::cli {

class MinifyQuestion {
 public:
  /// Loads libraries and forks the zygote: first thing in a process.
  static base::Result<MinifyQuestion> Prepare(const MinifyOptions& options);

  /// With the header that all candidates have. As recorded: the failure is the one that the header records,
  /// if it does.
  base::Status Begin(const repro::Header& header, bool as_recorded);
  base::Result<check::Character> Characterize(const repro::Repro& repro);
  /// From now on this is the failure.
  void Expect(const check::Expectation& expected);
  hunt::Plan PlanFor(const repro::Repro& repro, const check::Expectation& expected);

  minify::FailureCheck& check();
  /// In a program that is started anew, and if the failure came back, some more times in forked processes.
  hunt::Verification Verify(const std::string& path);
  /// What `culprit run` prints; nothing if somebody else judges.
  std::string Show(const std::string& path) const;
  /// As in " --load-library mine.so": what every command about the repro needs.
  std::string OptionsForCommands() const;
  /// Why no question can be asked any more, if that is so.
  std::optional<base::Diagnostic> broken() const;

 private:
  explicit MinifyQuestion(const MinifyOptions& options) : options_(&options) {}

  bool WantsMore() const;
  hunt::Verification AskJudge(const std::string& path) const;
  hunt::Verification AskFreshProgram(const std::string& path) const;
  /// A command of this program about a file, with the options that matter for reading it.
  std::vector<std::string> WordsAbout(const std::string& path, const char* command) const;

  const MinifyOptions* options_;
  std::shared_ptr<const isolate::Zygote> zygote_;
  repro::Header header_;
  backend::FailureKind failure_kind_ = backend::FailureKind::kException;
  /// Of the header, if it is wanted.
  std::optional<check::Expectation> recorded_;
  std::optional<hunt::OutsideJudge> judge_;
  std::unique_ptr<hunt::IsolatedCheck> compiler_;
};

}  // namespace culprit::cli
