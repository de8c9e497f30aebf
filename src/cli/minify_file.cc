// SPDX-License-Identifier: Apache-2.0
#include "cli/minify_file.h"

#include "base/text.h"
#include "cli/ask_child.h"
#include "cli/command.h"
#include "cli/isolated_command.h"
#include "cli/print.h"
#include "cli/report_text.h"
#include "cli/repro_question.h"
#include "cli/supervise.h"

namespace culprit::cli {
namespace {

using base::Diagnostic;
using base::Result;

/// Only opens it: a process with limits does that before one without them.
int LoadInChild(const std::vector<std::string>& words, const std::string& file) {
  if (const base::Status status = PrepareChildren(); !status.ok()) return Fail(status.error());
  ProgressLine progress(kMorePatience);
  progress.Begin("opening " + base::Printable(file));
  const Result<ChildPrints> prints = RunWordsInChild(words);
  if (!prints.ok()) return Fail(prints.error());
  if (prints->status == kSuccess || prints->status == kFailure) return kSuccess;
  PrintErr("{}", prints->err);
  return prints->status;
}

int OpenInChild(const MinifyOptions& options) {
  std::vector<std::string> words = CommandLineAs("run", {{"--out", true},
                                                         {"--only", true},
                                                         {"--skip", true},
                                                         {"--jobs", true},
                                                         {"--max-queries", true},
                                                         {"--max-time", true},
                                                         {"--match", true},
                                                         {"--check", true},
                                                         {"--no-switches"},
                                                         {"--any-failure"}});
  words.emplace_back("--load-only");
  if (!options.check.empty() && !options.query.backend) words.insert(words.end(), {"--backend", "eager"});
  return LoadInChild(words, options.script.shown_file());
}

/// The original of a run that is taken up again.
int OpenOriginalInChild(const MinifyOptions& options) {
  std::vector<std::string> words = {"culprit", "run", options.script.file, "--load-only"};
  const std::vector<std::string> more = options.script.words_for_reading();
  words.insert(words.end(), more.begin(), more.end());
  if (options.query.trust) words.emplace_back("--trust");
  if (options.query.backend) words.insert(words.end(), {"--backend", *options.query.backend});
  if (!options.check.empty() && !options.query.backend) words.insert(words.end(), {"--backend", "eager"});
  return LoadInChild(words, options.script.shown_file());
}

/// Whoever interrupts a search does not want to read a report.
int Conclude(const Result<hunt::Report>& report, const MinifyOptions& options, Purpose purpose) {
  if (!report.ok()) return IsInterrupted() ? kInterrupted : Fail(report.error());
  if (report->ended == minify::Ended::kStopped) return kInterrupted;
  PrintOut("{}", options.json ? ReportAsJson(*report) : ReportAsText(*report));
  if (report->summary_error) return Fail(*report->summary_error, kEnvironment);
  if (purpose == Purpose::kHunt) return kFailure;
  return report->verification.holds() ? kSuccess : kFailure;
}

/// It does not fail: that is what a hunt may find, and nothing that can be made smaller.
int ConcludeWithout(const check::Character& character, const MinifyOptions& options, Purpose purpose) {
  if (!character.invalid.empty()) {
    Diagnostic error{{options.script.shown_file()}, "there is no question to ask: " + character.invalid};
    error.help = character.help;
    return Fail(error, CodeOfReference(character.invalid));
  }
  if (purpose == Purpose::kHunt) {
    PrintOut("{}", options.json ? CharacterAsJson(character) : CharacterAsText(character));
    return kSuccess;
  }
  PrintErr("{}", IgnoredLines(character.ignored));
  Diagnostic error{{options.script.shown_file()}, "does not fail, so there is nothing to make smaller"};
  error.help = "to see what it does, use `culprit run` with the same options";
  return Fail(error, kFailure);
}

int Work(const MinifyOptions& options, Purpose purpose) {
  Result<std::unique_ptr<MinifyQuestion>> question = PrepareQuestion(options);
  if (!question.ok()) return Fail(question.error());
  MinifyJob job(**question, options);
  const Result<check::Character> character = job.Check(purpose);
  if (IsInterrupted()) return kInterrupted;
  if (!character.ok()) return Fail(character.error());
  if (!character->expectation) return ConcludeWithout(*character, options, purpose);
  return Conclude(job.Minify(), options, purpose);
}

int WorkOn(const ResumedRun& run) {
  Result<std::unique_ptr<MinifyQuestion>> question = PrepareQuestion(run.options);
  if (!question.ok()) return Fail(question.error());
  MinifyJob job(**question, run.options);
  return Conclude(job.Resume(run), run.options, Purpose::kMinify);
}

}  // namespace

int MinifyFile(const MinifyOptions& options, Purpose purpose) {
  if (const int status = OpenInChild(options); status != kSuccess) return status;
  return RunSupervised([&] { return Work(options, purpose); });
}

int ResumeMinify(const MinifyOptions& options) {
  const Result<ResumedRun> run = OpenRun(options);
  if (!run.ok()) return Fail(run.error());
  if (const int status = OpenOriginalInChild(run->options); status != kSuccess) return status;
  return RunSupervised([&] { return WorkOn(*run); });
}

}  // namespace culprit::cli
