// SPDX-License-Identifier: Apache-2.0
#include "cli/minify_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "backends/trust.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "check/sample_inputs.h"
#include "check/stamp.h"
#include "cli/ask_child.h"
#include "cli/command.h"
#include "cli/isolated_command.h"
#include "cli/load_for_query.h"
#include "cli/minify_question.h"
#include "cli/model_graphs.h"
#include "cli/piped_input.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "cli/report_text.h"
#include "cli/repro_question.h"
#include "cli/resumed_run.h"
#include "cli/supervise.h"
#include "hunt/minify_repro.h"
#include "hunt/private_folder.h"
#include "hunt/text_file.h"

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

Diagnostic NoCompiler(const MinifyOptions& options) {
  Diagnostic error{{options.script.shown_file()}, "names no compiler, so there is nothing to hunt in"};
  error.help = "name one, as in: --backend torchscript:stage=ofi; `culprit backends` lists them";
  return error;
}

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

Result<Opened> Open(const MinifyOptions& options) {
  const std::string& file = options.script.file;
  if (IsPiped(file)) UseAsStandardInput(*CULPRIT_TRY(PipedContents(file)), file);
  repro::ReadRepro read = CULPRIT_TRY(OpenScript(options.script));
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

/// Whoever interrupts a search does not want to read a report.
int Conclude(const hunt::Report& report, const MinifyOptions& options, Purpose purpose) {
  if (report.ended == minify::Ended::kStopped) return kInterrupted;
  PrintOut("{}", options.json ? ReportAsJson(report) : ReportAsText(report));
  if (report.summary_error) return Fail(*report.summary_error, kEnvironment);
  if (purpose == Purpose::kHunt) return kFailure;
  return report.verification.holds() ? kSuccess : kFailure;
}

int Search(hunt::MinifyRepro job, MinifyQuestion& question, const MinifyOptions& options, Purpose purpose,
           ProgressLine& progress) {
  job.options = OptionsForCommands(options, job.repro.header);
  AnnounceRun(job.folder.path(), ResumeCommandOf(job));
  if (options.max_queries) job.max_questions = *options.max_queries;
  if (options.max_seconds) job.max_time = std::chrono::seconds(*options.max_seconds);
  job.memory_bytes = options.query.limits(job.repro.header).memory_bytes;
  job.stop = [&] { return IsInterrupted() || question.check().broken(); };
  job.on_progress = [&](const hunt::Progress& now) { progress.Show(now); };
  job.verify = [&](const std::string& path) {
    progress.Begin("verifying it in fresh processes");
    return question.Verify(path);
  };
  job.show = [&](const std::string& path) {
    progress.Begin("running it for the report");
    return question.Show(path);
  };
  const Result<hunt::Report> report = hunt::Minify(job, question.check());
  progress.Clear();
  if (const auto broken = question.check().broken()) return Fail(WithWayOn(*broken, job));
  if (!report.ok()) return Fail(WithWayOn(report.error(), job));
  return Conclude(*report, options, purpose);
}

/// It does not fail: that is what a hunt may find, and nothing that can be made smaller.
int ConcludeWithout(const check::Character& character, const MinifyOptions& options, Purpose purpose) {
  if (!character.invalid.empty()) {
    Diagnostic error{{options.script.shown_file()}, "there is no question to ask: " + character.invalid};
    error.help = character.help;
    return Fail(error, CodeOfReference(character.invalid));
  }
  if (purpose == Purpose::kHunt) {
    // Of a model there is one answer for all graphs.
    if (options.json && options.is_captured) return kSuccess;
    PrintOut("{}", options.json ? CharacterAsJson(character) : CharacterAsText(character));
    return kSuccess;
  }
  Diagnostic error{{options.script.shown_file()}, "does not fail, so there is nothing to make smaller"};
  error.help = "to see what it does, use `culprit run` with the same options";
  return Fail(error, kFailure);
}

struct Found {
  repro::Repro repro;
  check::Character character;
};

/// The first set of inputs that fails.
Result<Found> FindFailure(const repro::Repro& repro, MinifyQuestion& question, const MinifyOptions& options,
                          ProgressLine& progress) {
  const isolate::Limits limits = options.query.limits(repro.header);
  std::string limit = DurationText(limits.wall_time) + " each";
  if (limits.growth.time > 0) limit += fmt::format(", or {} times eager", limits.growth.time);
  for (uint64_t sample = 0;; ++sample) {
    Found found{CULPRIT_TRY(check::WithSample(repro, sample))};
    const std::string which =
        options.samples > 1 ? fmt::format("inputs {} of {}, ", sample + 1, options.samples) : "";
    found.character = CULPRIT_TRY(question.Characterize(found.repro, [&](int run, int runs) {
      progress.Begin(fmt::format("{}run {} of {} (at most {})", which, run, runs, limit));
    }));
    if (found.character.expectation || sample + 1 >= options.samples) return found;
  }
}

/// That of the graph; where it has none, that of the file.
std::string NameOf(const Found& found, const MinifyOptions& options) {
  const std::string& name = found.repro.graph.name();
  if (!name.empty() || IsPiped(options.script.file)) return name;
  return std::filesystem::path(options.script.file).stem();
}

size_t DefaultJobs() {
  return std::max<size_t>(1, std::thread::hardware_concurrency() / 2);
}

Result<hunt::Plan> PlanFor(const Found& found, MinifyQuestion& question, const MinifyOptions& options,
                           ProgressLine& progress) {
  progress.Begin("asking about the whole program");
  const minify::Program program{found.repro.graph, found.repro.inputs};
  hunt::Plan plan{.expected = *found.character.expectation, .jobs = options.jobs.value_or(DefaultJobs())};
  plan.first = question.check().Ask(program);
  if (!plan.first.is_answer) return question.check().broken().value_or(Diagnostic{{}, "interrupted"});
  progress.Begin("measuring what each operator costs");
  plan.costs = minify::MeasureCosts(program);
  if (!options.check.empty()) plan.judge = std::filesystem::absolute(options.check).lexically_normal();
  return plan;
}

int WorkWith(MinifyQuestion& question, const MinifyOptions& options, Purpose purpose) {
  ProgressLine progress;
  progress.Begin("opening " + base::Printable(options.script.shown_file()));
  const Result<Opened> opened = Open(options);
  if (!opened.ok()) return Fail(opened.error());
  Result<std::vector<std::string>> strategies = options.strategies();
  if (!strategies.ok()) return Fail(strategies.error());
  const base::Status begun = question.Begin(opened->repro.header, purpose == Purpose::kMinify);
  if (!begun.ok()) return Fail(begun.error());
  const Result<Found> found = FindFailure(opened->repro, question, options, progress);
  if (IsInterrupted()) return kInterrupted;
  if (!found.ok()) return Fail(found.error());
  if (!found->character.expectation) return ConcludeWithout(found->character, options, purpose);
  Result<repro::RunFolder> folder = repro::RunFolder::Create(options.out, NameOf(*found, options));
  if (!folder.ok()) return Fail(folder.error());
  if (const auto warning = folder->WarningAboutLatest()) PrintErr("{}\n", warning->Render("warning"));
  PrintErr("{}minifying in {}\n", CharacterAsText(found->character), folder->path());
  question.Expect(*found->character.expectation, *folder);
  Result<hunt::Plan> plan = PlanFor(*found, question, options, progress);
  if (IsInterrupted()) return kInterrupted;
  if (!plan.ok()) return Fail(plan.error());
  hunt::MinifyRepro job{.repro = found->repro, .folder = *std::move(folder), .plan = *std::move(plan)};
  job.plan.strategies = *std::move(strategies);
  job.plan.sources = opened->sources;
  return Search(std::move(job), question, options, purpose, progress);
}

int Work(const MinifyOptions& options, Purpose purpose) {
  Result<std::unique_ptr<MinifyQuestion>> prepared = PrepareQuestion(options);
  if (!prepared.ok()) return Fail(prepared.error());
  return WorkWith(**prepared, options, purpose);
}

/// Until one of them fails.
int HuntInGraphs(const ModelGraphs& graphs, const MinifyOptions& options) {
  Result<std::unique_ptr<MinifyQuestion>> prepared = PrepareQuestion(options);
  if (!prepared.ok()) return Fail(prepared.error());
  for (size_t i = 0; i < graphs.files.size(); ++i) {
    MinifyOptions graph = options;
    graph.script.file = graphs.files[i];
    graph.is_captured = true;
    PrintErr("graph {} of {}: {}\n", i + 1, graphs.files.size(),
             std::filesystem::path(graph.script.file).stem().string());
    const int status = WorkWith(**prepared, graph, Purpose::kHunt);
    if (status != kSuccess) return status;
  }
  if (options.json)
    PrintOut("{}\n",
             nlohmann::ordered_json{{"passes", !graphs.is_cut_off}, {"graphs", graphs.files.size()}}.dump(2));
  return graphs.is_cut_off ? kReference : kSuccess;
}

int HuntInModel(const MinifyOptions& options, const std::string& folder) {
  ModelGraphs graphs;
  const int captured =
      CaptureGraphs(options.script, options.model, options.judge.seed,
                    {options.query.timeout_seconds, options.query.memory_mib}, folder, graphs);
  return captured == kSuccess ? HuntInGraphs(graphs, options) : captured;
}

int WorkOn(const ResumedRun& run) {
  Result<std::unique_ptr<MinifyQuestion>> prepared = PrepareQuestion(run.options);
  if (!prepared.ok()) return Fail(prepared.error());
  MinifyQuestion& question = **prepared;
  ProgressLine progress;
  progress.Begin("opening " + base::Printable(run.options.script.file));
  const Result<Opened> opened = Open(run.options);
  if (!opened.ok()) return Fail(opened.error());
  const base::Status begun = question.Begin(opened->repro.header, /*as_recorded=*/true);
  if (!begun.ok()) return Fail(begun.error());
  question.Expect(run.trace.plan.expected, run.folder);
  hunt::MinifyRepro job{.repro = opened->repro, .folder = run.folder, .plan = run.trace.plan};
  job.resumed = run.trace;
  return Search(std::move(job), question, run.options, Purpose::kMinify, progress);
}

}  // namespace

int MinifyFile(const MinifyOptions& options, Purpose purpose) {
  if (const int status = OpenInChild(options); status != kSuccess) return status;
  return RunSupervised([&] { return Work(options, purpose); });
}

int HuntModel(const MinifyOptions& options) {
  if (options.check.empty() && !options.query.backend && options.query.faults.empty())
    return Fail(NoCompiler(options));
  const Result<hunt::PrivateFolder> folder = hunt::PrivateFolder::Make("", "culprit-hunt");
  if (!folder.ok()) return Fail(folder.error());
  // The folder is this process's, so that it goes whatever happens to the one that works.
  return RunSupervised([&] { return HuntInModel(options, folder->path() + "/graphs"); });
}

int ResumeMinify(const MinifyOptions& options) {
  const Result<ResumedRun> run = OpenRun(options);
  if (!run.ok()) return Fail(run.error());
  if (const int status = OpenOriginalInChild(run->options); status != kSuccess) return status;
  return RunSupervised([&] { return WorkOn(*run); });
}

}  // namespace culprit::cli
