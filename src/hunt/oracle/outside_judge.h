// SPDX-License-Identifier: Apache-2.0
//
// A program of the user that answers the question instead of Culprit: it is started with the path of the
// candidate, a file that Culprit and Python run, and says with its exit code 0 that it still fails. Files of
// candidates are private, and gone afterwards (files/private_folder.h).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "hunt/oracle/breakable_check.h"
#include "repro/header/header.h"

namespace culprit::hunt {

class OutsideJudge : public BreakableCheck {
 public:
  /// Refused if there is no such program.
  /// `stop` says whether the user wants to stop; a judge is then ended.
  static base::Result<std::unique_ptr<OutsideJudge>> Find(const std::string& program,
                                                          std::chrono::nanoseconds timeout,
                                                          repro::Header header, std::function<bool()> stop);

  /// Without it they are among the temporary files.
  void PutCandidatesIn(const std::string& folder) { folder_ = folder; }

  /// A judge that takes too long is ended, with all that it started, and then it passes. One that cannot be
  /// started, says with 126 or 127 that it could not start something, or whose candidate cannot be written,
  /// gives no answer and is broken.
  minify::Reply Ask(const minify::Program& program) override;

  /// Of a file that exists.
  minify::Reply AskAboutFile(const std::string& path);

 private:
  OutsideJudge(std::string path, std::chrono::nanoseconds timeout, repro::Header header,
               std::function<bool()> stop)
      : path_(std::move(path)), timeout_(timeout), header_(std::move(header)), stop_(std::move(stop)) {}

  std::string path_;
  std::chrono::nanoseconds timeout_;
  repro::Header header_;
  std::function<bool()> stop_;
  std::string folder_;
};

/// What a judge says of a failure: that there is one. It takes the place of a signature.
backend::FailureSignature JudgesSignature(const std::string& program);

}  // namespace culprit::hunt
