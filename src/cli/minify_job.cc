// SPDX-License-Identifier: Apache-2.0
#include "cli/minify_job.h"

#include <fmt/format.h>

#include <filesystem>
#include <thread>

#include "backends/trust.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "check/query/sample_inputs.h"
#include "check/query/stamp.h"
#include "cli/load_for_query.h"
#include "cli/piped_input.h"
#include "cli/print.h"
#include "cli/report_text.h"
#include "cli/repro_question.h"
#include "cli/supervise.h"

namespace culprit::cli {
namespace {

using base::Diagnostic;
using base::Result;

/// A run goes on with the compiler that gave the answers so far.
base::Status CheckSameBackend(const std::string& recorded, const std::string& named,
                              const MinifyOptions& options) {
  if (check::AbsoluteBackend(recorded) == check::AbsoluteBackend(named)) return base::Done{};
  Diagnostic error{{options.script.file}, fmt::format("the compiler of the run is '{}'", recorded)};
  error.notes.emplace_back("the answers that are known already are about no other");
  error.help = "leave out --backend, or begin a new run with: culprit minify FILE --backend B";
  return error;
}

struct Opened {
  repro::Repro repro;
  hunt::Sources sources;
};

Result<Opened> OpenFile(const MinifyOptions& options) {
  const std::string& file = options.script.file;
  if (IsPiped(file)) UseAsStandardInput(*CULPRIT_TRY(PipedContents(file)), file);
  repro::ReadRepro read = CULPRIT_TRY(OpenScript(options.script, options.query.trust));
  options.judge.Apply(read.header);
  const std::string recorded = read.header.backend;
  CULPRIT_TRY(options.query.Apply(read.header, options.script.shown_file()));
  if (!options.resume.empty()) CULPRIT_TRY(CheckSameBackend(recorded, read.header.backend, options));
  if (options.check.empty() && !options.query.backend && !NamesCompiler(read.header))
    return NoCompiler(options);
  hunt::Sources sources = hunt::SourcesOf(read.script.graph, read.script.node_lines,
                                          options.is_captured ? "" : options.script.shown_file());
  repro::Repro repro =
      CULPRIT_TRY(LoadForQuery(std::move(read), options.script, options.query, options.judge.seed));
  repro.header.backend = check::AbsoluteBackend(repro.header.backend);
  options.query.Remember(repro.header);
  check::Stamp(repro.header);
  return Opened{std::move(repro), std::move(sources)};
}

/// As in " --load-library mine.so". A compiler that a file may not ask for by itself is named, too.
std::string OptionsForCommands(const MinifyOptions& options, const repro::Header& header) {
  std::string text;
  for (const std::string& word : options.script.words_for_reading()) text += " " + base::ShellWord(word);
  const Result<backend::Spec> spec = backend::ParseSpec(header.backend);
  if (spec.ok() && !backends::CheckFromFile(*spec).ok())
    text += " --backend " + base::ShellWord(header.backend);
  return text;
}

std::string ResumeCommandOf(const hunt::MinifyRepro& job) {
  return ResumeCommand(job.folder.path(), job.options, job.plan.judge);
}

/// Of a search that had to stop: what is left of it, and what to type next.
Diagnostic WithWayOn(Diagnostic error, const hunt::MinifyRepro& job) {
  if (error.cause == base::Cause::kReference) return error;
  if (!hunt::OpenTrace(job.folder.trace()).ok()) {
    // Nothing was found yet that could be lost.
    job.folder.Remove();
    if (error.help.empty()) error.help = "to keep the run on another disk, add: --out DIR";
    return error;
  }
  error.notes.push_back(fmt::format("the smallest repro so far: {}", base::ShellWord(job.folder.repro())));
  error.help = fmt::format("to go on, run: {}", ResumeCommandOf(job));
  return error;
}

std::string LimitText(const isolate::Limits& limits) {
  std::string text = DurationText(limits.wall_time) + " each";
  if (limits.growth.time > 0) text += fmt::format(", or {} times eager", limits.growth.time);
  return text;
}

size_t DefaultJobs() {
  return std::max<size_t>(1, std::thread::hardware_concurrency() / 2);
}

}  // namespace

Diagnostic NoCompiler(const MinifyOptions& options) {
  Diagnostic error{{options.script.shown_file()}, "names no compiler, so there is nothing to hunt in"};
  error.help = "name one, as in: --backend torchscript:stage=ofi; `culprit backends` lists them";
  return error;
}

base::Status MinifyJob::Open() {
  progress_.Begin("opening " + base::Printable(options_->script.shown_file()));
  Opened opened = CULPRIT_TRY(OpenFile(*options_));
  repro_ = std::move(opened.repro);
  sources_ = std::move(opened.sources);
  return base::Done{};
}

Result<check::Character> MinifyJob::Check(Purpose purpose, bool quickly) {
  CULPRIT_TRY(Open());
  CULPRIT_TRY(options_->strategies());
  CULPRIT_TRY(question_->Begin(repro_.header, purpose == Purpose::kMinify));
  character_ = CULPRIT_TRY(FindFailure(quickly));
  progress_.Clear();
  return character_;
}

/// The first set of inputs that fails.
Result<check::Character> MinifyJob::FindFailure(bool quickly) {
  const repro::Repro original = repro_;
  const std::string limit = LimitText(options_->query.limits(original.header));
  for (uint64_t sample = 0;; ++sample) {
    repro_ = CULPRIT_TRY(check::WithSample(original, sample));
    const std::string which =
        options_->samples > 1 ? fmt::format("inputs {} of {}, ", sample + 1, options_->samples) : "";
    const OnRun on_run = [&](int run, int runs) {
      progress_.Begin(fmt::format("{}run {} of {} (at most {})", which, run, runs, limit));
    };
    check::Character character = CULPRIT_TRY(question_->Characterize(repro_, quickly, on_run));
    if (character.expectation || sample + 1 >= options_->samples) return character;
  }
}

/// That of the graph; where it has none, that of the file.
std::string MinifyJob::NameOfRun() const {
  const std::string& name = repro_.graph.name();
  if (!name.empty() || IsPiped(options_->script.file)) return name;
  return std::filesystem::path(options_->script.file).stem();
}

Result<hunt::Plan> MinifyJob::MakePlan() {
  progress_.Begin("asking about the whole program");
  const minify::Program program{repro_.graph, repro_.inputs};
  hunt::Plan plan{.expected = *character_.expectation, .jobs = options_->jobs.value_or(DefaultJobs())};
  plan.first = question_->check().Ask(program);
  if (!plan.first.is_answer) return question_->check().broken().value_or(Diagnostic{{}, "interrupted"});
  progress_.Begin("measuring what each operator costs");
  plan.costs = minify::MeasureCosts(program);
  if (!options_->check.empty()) plan.judge = std::filesystem::absolute(options_->check).lexically_normal();
  plan.strategies = CULPRIT_TRY(options_->strategies());
  plan.sources = sources_;
  return plan;
}

Result<hunt::Report> MinifyJob::Minify() {
  repro::RunFolder folder = CULPRIT_TRY(repro::RunFolder::Create(options_->out, NameOfRun()));
  if (const auto warning = folder.WarningAboutLatest()) PrintErr("{}\n", warning->Render("warning"));
  PrintErr("{}minifying in {}\n", CharacterAsText(character_), folder.path());
  question_->Expect(*character_.expectation, folder);
  hunt::Plan plan = CULPRIT_TRY(MakePlan());
  return Search({.repro = repro_, .folder = std::move(folder), .plan = std::move(plan)});
}

Result<hunt::Report> MinifyJob::Resume(const ResumedRun& run) {
  CULPRIT_TRY(Open());
  CULPRIT_TRY(question_->Begin(repro_.header, /*as_recorded=*/true));
  question_->Expect(run.trace.plan.expected, run.folder);
  hunt::MinifyRepro job{.repro = repro_, .folder = run.folder, .plan = run.trace.plan};
  job.resumed = run.trace;
  return Search(std::move(job));
}

Result<hunt::Report> MinifyJob::Search(hunt::MinifyRepro job) {
  job.options = OptionsForCommands(*options_, job.repro.header);
  AnnounceRun(job.folder.path(), ResumeCommandOf(job));
  if (options_->max_queries) job.max_questions = *options_->max_queries;
  if (options_->max_seconds) job.max_time = std::chrono::seconds(*options_->max_seconds);
  job.memory_bytes = options_->query.limits(job.repro.header).memory_bytes;
  job.stop = [&] { return IsInterrupted() || question_->check().broken(); };
  job.on_progress = [&](const hunt::Progress& now) { progress_.Show(now); };
  job.verify = [&](const std::string& path) {
    progress_.Begin("verifying it in fresh processes");
    return question_->Verify(path);
  };
  job.try_switches = options_->switches;
  if (const check::AskOnce ask = question_->ask()) {
    job.ask = [this, ask](const repro::Repro& repro) {
      progress_.Begin("looking at it for the report");
      return ask(repro);
    };
  }
  job.show = [&](const std::string& path) {
    progress_.Begin("running it for the report");
    return question_->Show(path);
  };
  Result<hunt::Report> report = hunt::Minify(job, question_->check());
  progress_.Clear();
  if (const auto broken = question_->check().broken()) return WithWayOn(*broken, job);
  if (!report.ok()) return WithWayOn(report.error(), job);
  return report;
}

}  // namespace culprit::cli
