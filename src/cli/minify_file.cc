// SPDX-License-Identifier: Apache-2.0
#include "cli/minify_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/shell_word.h"
#include "check/sample_inputs.h"
#include "check/stamp.h"
#include "cli/ask_child.h"
#include "cli/command.h"
#include "cli/isolated_command.h"
#include "cli/load_for_query.h"
#include "cli/minify_question.h"
#include "cli/model_graphs.h"
#include "cli/piped_input.h"
#include "cli/progress_line.h"
#include "cli/report_text.h"
#include "cli/repro_question.h"
#include "cli/supervise.h"
#include "hunt/minify_repro.h"
#include "hunt/private_folder.h"
#include "hunt/text_file.h"

namespace culprit::cli {
namespace {

using base::Diagnostic;
using base::Result;

/// What the user named can be opened, by a process with limits, before one without them does it.
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
  const Result<ChildPrints> prints = RunWordsInChild(words);
  if (!prints.ok()) return Fail(prints.error(), kFailure);
  if (prints->status == kSuccess || prints->status == kFailure) return kSuccess;
  fmt::print(stderr, "{}", prints->err);
  return prints->status;
}

Diagnostic NoCompiler(const MinifyOptions& options) {
  Diagnostic error{{options.script.shown_file()}, "names no compiler, so there is nothing to hunt in"};
  error.help = "name one, as in: --backend torchscript:stage=ofi; `culprit backends` lists them";
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
  options.query.Apply(read.header);
  if (options.check.empty() && !options.query.backend && !NamesCompiler(read.header))
    return NoCompiler(options);
  hunt::Sources sources = hunt::SourcesOf(read.script.graph, read.script.node_lines,
                                          options.is_captured ? "" : options.script.shown_file());
  repro::Repro repro =
      CULPRIT_TRY(LoadForQuery(std::move(read), options.script, options.query, options.judge.seed));
  check::NameBackendAbsolutely(repro.header);
  options.query.Remember(repro.header);
  check::Stamp(repro.header);
  return Opened{std::move(repro), std::move(sources)};
}

/// As in " --load-library mine.so".
std::string OptionsForCommands(const MinifyOptions& options) {
  std::string text;
  for (const std::string& word : options.script.words_for_reading()) text += " " + base::ShellWord(word);
  return text;
}

/// A judge that does not work is the user's.
ExitCode CodeOfBroken(const MinifyOptions& options) {
  return options.check.empty() ? kInternal : kUsage;
}

/// Of the search; whoever interrupts it does not want to read a report.
int Conclude(const Result<hunt::Report>& report, const MinifyOptions& options, Purpose purpose) {
  if (!report.ok()) return Fail(report.error(), kFailure);
  if (report->ended == minify::Ended::kStopped) return kInterrupted;
  fmt::print("{}", options.json ? ReportAsJson(*report) : ReportAsText(*report));
  if (purpose == Purpose::kHunt) return kFailure;
  return report->verification.holds() ? kSuccess : kFailure;
}

int Search(hunt::MinifyRepro job, MinifyQuestion& question, const MinifyOptions& options, Purpose purpose) {
  AnnounceRunFolder(job.folder.path());
  ProgressLine progress;
  if (options.max_queries) job.max_questions = *options.max_queries;
  if (options.max_seconds) job.max_time = std::chrono::seconds(*options.max_seconds);
  job.options = OptionsForCommands(options);
  job.memory_bytes = options.query.limits(job.repro.header).memory_bytes;
  job.stop = [&] { return IsInterrupted() || question.check().broken(); };
  job.on_progress = [&](const hunt::Progress& now) { progress.Show(now); };
  job.on_warning = [&](const Diagnostic& warning) {
    progress.Clear();
    fmt::print(stderr, "{}\n", warning.Render("warning"));
  };
  job.verify = [&](const std::string& path) {
    progress.Clear();
    fmt::print(stderr, "verifying {}\n", path);
    return question.Verify(path);
  };
  job.show = [&](const std::string& path) { return question.Show(path); };
  const Result<hunt::Report> report = hunt::Minify(job, question.check());
  progress.Clear();
  if (auto broken = question.check().broken()) {
    broken->notes.push_back(
        fmt::format("the smallest repro so far: {}", base::ShellWord(job.folder.repro())));
    broken->help =
        fmt::format("to go on, run: culprit minify --resume {}", base::ShellWord(job.folder.path()));
    return Fail(*broken, CodeOfBroken(options));
  }
  return Conclude(report, options, purpose);
}

/// It does not fail: that is what a hunt may find, and nothing that can be made smaller.
int ConcludeWithout(const check::Character& character, const MinifyOptions& options, Purpose purpose) {
  if (!character.invalid.empty())
    return Fail({{options.script.shown_file()}, "there is no question to ask: " + character.invalid},
                kFailure);
  if (purpose == Purpose::kHunt) {
    // Of a model there is one answer for all graphs.
    if (options.json && options.is_captured) return kSuccess;
    fmt::print("{}", options.json ? CharacterAsJson(character) : CharacterAsText(character));
    std::fflush(stdout);
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
Result<Found> FindFailure(const repro::Repro& repro, MinifyQuestion& question, uint64_t samples) {
  for (uint64_t sample = 0;; ++sample) {
    Found found{CULPRIT_TRY(check::WithSample(repro, sample))};
    found.character = CULPRIT_TRY(question.Characterize(found.repro));
    if (found.character.expectation || sample + 1 >= samples) return found;
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

Result<hunt::Plan> PlanFor(const Found& found, MinifyQuestion& question, const MinifyOptions& options) {
  const minify::Program program{found.repro.graph, found.repro.inputs};
  hunt::Plan plan{.expected = *found.character.expectation, .jobs = options.jobs.value_or(DefaultJobs())};
  plan.first = question.check().Ask(program);
  if (!plan.first.is_answer) return question.check().broken().value_or(Diagnostic{{}, "interrupted"});
  plan.costs = minify::MeasureCosts(program);
  if (!options.check.empty()) plan.judge = std::filesystem::absolute(options.check).lexically_normal();
  return plan;
}

int WorkWith(MinifyQuestion& question, const MinifyOptions& options, Purpose purpose) {
  const Result<Opened> opened = Open(options);
  if (!opened.ok()) return Fail(opened.error());
  Result<std::vector<std::string>> strategies = options.strategies();
  if (!strategies.ok()) return Fail(strategies.error());
  const base::Status begun = question.Begin(opened->repro.header, purpose == Purpose::kMinify);
  if (!begun.ok()) return Fail(begun.error());
  const Result<Found> found = FindFailure(opened->repro, question, options.samples);
  if (IsInterrupted()) return kInterrupted;
  if (!found.ok()) return Fail(found.error(), CodeOfBroken(options));
  if (!found->character.expectation) return ConcludeWithout(found->character, options, purpose);
  Result<repro::RunFolder> folder = repro::RunFolder::Create(options.out, NameOf(*found, options));
  if (!folder.ok()) return Fail(folder.error());
  fmt::print(stderr, "{}minifying in {}\n", CharacterAsText(found->character), folder->path());
  question.Expect(*found->character.expectation, *folder);
  Result<hunt::Plan> plan = PlanFor(*found, question, options);
  if (IsInterrupted()) return kInterrupted;
  if (!plan.ok()) return Fail(plan.error(), CodeOfBroken(options));
  hunt::MinifyRepro job{.repro = found->repro, .folder = *std::move(folder), .plan = *std::move(plan)};
  job.plan.strategies = *std::move(strategies);
  job.plan.sources = opened->sources;
  return Search(std::move(job), question, options, purpose);
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
    fmt::print(stderr, "graph {} of {}: {}\n", i + 1, graphs.files.size(),
               std::filesystem::path(graph.script.file).stem().string());
    const int status = WorkWith(**prepared, graph, Purpose::kHunt);
    if (status != kSuccess) return status;
  }
  if (options.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"passes", true}, {"graphs", graphs.files.size()}}.dump(2));
  return kSuccess;
}

int WorkOn(const MinifyOptions& options) {
  const Result<repro::RunFolder> folder = repro::RunFolder::Open(options.resume);
  if (!folder.ok()) return Fail(folder.error());
  Result<hunt::ReadTrace> trace = hunt::OpenTrace(folder->trace());
  if (!trace.ok()) return Fail(trace.error());
  MinifyOptions original = options;
  original.script.file = folder->original();
  original.check = trace->plan.judge;
  Result<std::unique_ptr<MinifyQuestion>> prepared = PrepareQuestion(original);
  if (!prepared.ok()) return Fail(prepared.error());
  MinifyQuestion& question = **prepared;
  const Result<Opened> opened = Open(original);
  if (!opened.ok()) return Fail(opened.error());
  const base::Status begun = question.Begin(opened->repro.header, /*as_recorded=*/true);
  if (!begun.ok()) return Fail(begun.error());
  question.Expect(trace->plan.expected, *folder);
  hunt::MinifyRepro job{.repro = opened->repro, .folder = *folder, .plan = trace->plan};
  job.resumed = *std::move(trace);
  return Search(std::move(job), question, original, Purpose::kMinify);
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
  ModelGraphs graphs;
  const int captured =
      CaptureGraphs(options.script, options.model, options.judge.seed,
                    {options.query.timeout_seconds, options.query.memory_mib}, folder->path(), graphs);
  if (captured != kSuccess) return captured;
  return RunSupervised([&] { return HuntInGraphs(graphs, options); });
}

int ResumeMinify(const MinifyOptions& options) {
  return RunSupervised([&] { return WorkOn(options); });
}

}  // namespace culprit::cli
