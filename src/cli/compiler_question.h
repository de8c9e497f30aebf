// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/minify_question.h"
#include "hunt/isolated_check.h"

namespace culprit::cli {

/// A compiler answers, in a process of its own for each candidate.
class CompilerQuestion : public MinifyQuestion {
 public:
  static base::Result<std::unique_ptr<CompilerQuestion>> Prepare(const MinifyOptions& options);

  base::Status Begin(const repro::Header& header, bool as_recorded) override;
  base::Result<check::Character> Characterize(const repro::Repro& repro, bool quickly,
                                              const OnRun& on_run) override;
  void Expect(const check::Expectation& expected, const repro::RunFolder& folder) override;

  hunt::BreakableCheck& check() override { return *check_; }
  base::Result<hunt::Verification> Verify(const std::string& path) override;
  check::AskOnce ask() override;
  std::string Show(const std::string& path) const override;

 private:
  explicit CompilerQuestion(const MinifyOptions& options) : options_(&options) {}

  base::Result<check::Character> CharacterizeAsRecorded(const check::AskOnce& ask,
                                                        const repro::Repro& repro) const;
  base::Result<hunt::Verification> AskFreshProgram(const std::string& path) const;
  /// A command of this program about a file, with the options that matter for reading it.
  std::vector<std::string> WordsAbout(const std::string& path, const char* command) const;

  const MinifyOptions* options_;
  std::shared_ptr<const isolate::Zygote> zygote_;
  repro::Header header_;
  /// Of the header, if it is wanted.
  std::optional<check::Expectation> recorded_;
  check::Expectation expected_;
  std::unique_ptr<hunt::IsolatedCheck> check_;
};

}  // namespace culprit::cli
