// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/minify_question.h"
#include "hunt/outside_judge.h"

namespace culprit::cli {

/// A program of the user answers (--check).
class JudgeQuestion : public MinifyQuestion {
 public:
  explicit JudgeQuestion(const MinifyOptions& options) : options_(&options) {}

  base::Status Begin(const repro::Header& header, bool as_recorded) override;
  base::Result<check::Character> Characterize(const repro::Repro& repro, bool quickly,
                                              const OnRun& on_run) override;
  void Expect(const check::Expectation& expected, const repro::RunFolder& folder) override;

  hunt::BreakableCheck& check() override { return *judge_; }
  base::Result<hunt::Verification> Verify(const std::string& path) override;
  check::AskOnce ask() override { return nullptr; }
  std::string Show(const std::string& /*path*/) const override { return ""; }

 private:
  const MinifyOptions* options_;
  std::unique_ptr<hunt::OutsideJudge> judge_;
};

}  // namespace culprit::cli
