// SPDX-License-Identifier: Apache-2.0
//
// Who answers while a program is made smaller, and in fresh processes when it is done: a compiler
// (compiler_oracle.h), or a program of the user (program_oracle.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "check/question/question.h"
#include "hunt/result/report.h"
#include "minify/failure_check.h"
#include "repro/run_folder.h"

namespace culprit::hunt {

/// Hears of each run before it begins: which one it is, of how many as far as is known.
using OnQuery = std::function<void(int run, int runs)>;

class Oracle {
 public:
  virtual ~Oracle() = default;

  /// With the header that all candidates have. As recorded: the failure is the one that the header records,
  /// if it does.
  virtual base::Status Begin(const repro::Header& header, bool as_recorded) = 0;
  /// Quickly: in one run, which may miss a failure that comes only sometimes. An error if nobody can be
  /// asked.
  virtual base::Result<check::Character> Characterize(const repro::Repro& repro, bool quickly,
                                                      const OnQuery& on_query) = 0;
  /// From now on this is the failure, and this the folder of the run.
  virtual void Expect(const check::Expectation& expected, const repro::RunFolder& folder) = 0;

  /// Asks about the expected failure.
  virtual minify::FailureCheck& check() = 0;
  /// Why no question can be asked any more, if that is so.
  virtual std::optional<base::Diagnostic> broken() const = 0;
  /// In a program that is started anew, and if the failure came back, some more times. An error if the
  /// program does not come to its end.
  virtual base::Result<Verification> Verify(const std::string& path) = 0;
  /// One query; nothing if no compiler answers.
  virtual check::AskOnce ask() = 0;
  /// One more run of the file; nothing if it would not show the failure.
  virtual ShownRun Show(const std::string& path) = 0;
  /// As users of the compiler would write the file; nothing if they cannot.
  virtual std::optional<backend::PlainProgram> InPlainCalls(const std::string& path) = 0;
};

}  // namespace culprit::hunt
