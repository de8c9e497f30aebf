// SPDX-License-Identifier: Apache-2.0
#include "hunt/hunt.h"

#include <fmt/format.h>

#include <filesystem>
#include <span>

#include "backend/spec.h"
#include "backends/table.h"
#include "base/text.h"
#include "check/query/sample_inputs.h"
#include "hunt/model_graphs.h"
#include "hunt/oracle/compiler_oracle.h"
#include "hunt/oracle/program_oracle.h"
#include "hunt/run/minify_repro.h"
#include "hunt/run/resumed_run.h"
#include "hunt/run/way_on.h"
#include "hunt/target.h"
#include "process/shared_library.h"

namespace culprit::hunt {
namespace {

using base::Diagnostic;
using base::Result;

/// Loads libraries and forks what has to be forked.
Result<std::unique_ptr<Oracle>> PrepareOracle(const HuntRequest& request, const tasks::Children& children,
                                              Listener& listener) {
  for (const std::string& library : request.file.libraries) CULPRIT_TRY(process::LoadSharedLibrary(library));
  if (!request.judge_program.empty())
    return std::unique_ptr<Oracle>(std::make_unique<ProgramOracle>(request, listener));
  return std::unique_ptr<Oracle>(CULPRIT_TRY(CompilerOracle::Prepare(request, children, listener)));
}

std::string LimitText(const isolate::Limits& limits) {
  std::string text = base::DurationText(limits.wall_time) + " each";
  if (limits.growth.time > 0) text += fmt::format(", or {} times eager", limits.growth.time);
  return text;
}

/// The first set of inputs that fails becomes the target's.
Result<check::Character> Characterise(const HuntRequest& request, Target& target, Oracle& oracle,
                                      bool quickly, Listener& listener) {
  CULPRIT_TRY(WantedStrategies(request));
  CULPRIT_TRY(oracle.Begin(target.repro.header, request.purpose == Purpose::kMinify));
  const repro::Repro original = target.repro;
  const std::string limit = LimitText(request.compiler.limits(original.header));
  for (uint64_t sample = 0;; ++sample) {
    target.repro = CULPRIT_TRY(check::WithSample(original, sample));
    const std::string which =
        request.samples > 1 ? fmt::format("inputs {} of {}, ", sample + 1, request.samples) : "";
    const OnQuery on_query = [&](int run, int runs) {
      listener.OnPhase(fmt::format("{}run {} of {} (at most {})", which, run, runs, limit));
    };
    check::Character character = CULPRIT_TRY(oracle.Characterize(target.repro, quickly, on_query));
    if (character.expectation || sample + 1 >= request.samples) return character;
  }
}

/// The name of the graph; where it has none, that of the file.
std::string NameOfRun(const HuntRequest& request, const repro::Repro& repro) {
  const std::string& name = repro.graph.name();
  if (!name.empty() || request.file.contents) return name;
  return std::filesystem::path(request.file.file).stem();
}

Result<Plan> MakePlan(const HuntRequest& request, const Target& target, const check::Expectation& expected,
                      Oracle& oracle, Listener& listener) {
  listener.OnPhase("asking about the whole program");
  const minify::Program program{target.repro.graph, target.repro.inputs};
  Plan plan{.expected = expected};
  plan.first = oracle.check().Ask(program);
  if (!plan.first.is_answer) return oracle.broken().value_or(Diagnostic{{}, "interrupted"});
  listener.OnPhase("measuring what each operator costs");
  plan.costs = minify::MeasureCosts(program);
  if (!request.judge_program.empty())
    plan.judge = std::filesystem::absolute(request.judge_program).lexically_normal();
  plan.strategies = CULPRIT_TRY(WantedStrategies(request));
  plan.sources = target.sources;
  return plan;
}

/// What a search may take. Who goes on with one knows what it is about.
std::optional<std::chrono::seconds> TimeOf(const HuntRequest& request, const MinifyRepro& job,
                                           Listener& listener) {
  constexpr std::chrono::seconds kForMarginal{60};
  if (request.max_seconds) return std::chrono::seconds(*request.max_seconds);
  if (job.resumed || !IsMarginal(job.plan)) return std::nullopt;
  listener.OnNote(
      fmt::format("note: the error is not far beyond the noise of this program: the search ends after {}\n"
                  "  help: to give it more time, add: --max-time {}",
                  base::DurationText(kForMarginal), 10 * kForMarginal.count()));
  return kForMarginal;
}

/// Searches, takes back, verifies and reports (run/minify_repro.h).
Result<Report> Finish(const HuntRequest& request, MinifyRepro job, Oracle& oracle, Listener& listener) {
  job.options = OptionsForCommands(request, job.repro.header);
  job.worker_options = OptionsForWorkers(request);
  listener.OnRun(job.folder.path(),
                 ResumeCommand(job.folder.path(), job.options + job.worker_options, job.plan.judge));
  job.jobs = JobsOf(request, job.repro.header);
  if (request.max_questions) job.max_questions = *request.max_questions;
  job.max_time = TimeOf(request, job, listener);
  job.memory_bytes = request.compiler.limits(job.repro.header).memory_bytes;
  job.try_switches = request.switches;
  Result<Report> report = Minify(job, oracle, listener);
  if (const auto broken = oracle.broken()) return WithWayOn(*broken, job);
  if (!report.ok()) return WithWayOn(report.error(), job);
  return report;
}

/// The whole job for one graph. Quickly: only whether it fails.
Result<HuntedGraph> HuntInGraph(const HuntRequest& request, Lines lines, bool quickly, Oracle& oracle,
                                Listener& listener) {
  Target target = CULPRIT_TRY(OpenTarget(request, lines, listener));
  HuntedGraph hunted{.operators = target.repro.graph.nodes().size()};
  hunted.character = CULPRIT_TRY(Characterise(request, target, oracle, quickly, listener));
  listener.OnPhase("");
  if (!hunted.character.expectation || quickly || listener.stop()) return hunted;
  const check::Expectation& expected = *hunted.character.expectation;
  repro::RunFolder folder =
      CULPRIT_TRY(repro::RunFolder::Create(request.out, NameOfRun(request, target.repro)));
  if (const auto warning = folder.WarningAboutLatest()) listener.OnNote(warning->Render("warning"));
  listener.OnFailure(hunted.character, folder.path());
  oracle.Expect(expected, folder);
  Plan plan = CULPRIT_TRY(MakePlan(request, target, expected, oracle, listener));
  hunted.report = CULPRIT_TRY(
      Finish(request, {.repro = target.repro, .folder = std::move(folder), .plan = std::move(plan)}, oracle,
             listener));
  listener.OnPhase("");
  return hunted;
}

Result<HuntResult> Resume(const HuntRequest& given, const tasks::Children& children, Listener& listener) {
  const ResumedRun run = CULPRIT_TRY(OpenRun(given));
  const HuntRequest& request = run.request;
  CULPRIT_TRY(CheckOpens(request, children, listener));
  const std::unique_ptr<Oracle> oracle = CULPRIT_TRY(PrepareOracle(request, children, listener));
  const Target target = CULPRIT_TRY(OpenTarget(request, Lines::kOfFile, listener));
  CULPRIT_TRY(oracle->Begin(target.repro.header, /*as_recorded=*/true));
  oracle->Expect(run.trace.plan.expected, run.folder);
  HuntedGraph hunted{.operators = target.repro.graph.nodes().size()};
  hunted.character.expectation = run.trace.plan.expected;
  hunted.report = CULPRIT_TRY(Finish(
      request, {.repro = target.repro, .folder = run.folder, .plan = run.trace.plan, .resumed = run.trace},
      *oracle, listener));
  listener.OnPhase("");
  return HuntResult{.graphs = {std::move(hunted)}};
}

/// The request for each way into the compiler. What is wrong with its name, whoever opens a graph will say; and a fault
/// is put where the user means it.
std::vector<HuntRequest> ByWays(const HuntRequest& request) {
  std::vector<HuntRequest> by_ways = {request};
  if (!request.compiler.backend || !request.judge_program.empty() || !request.compiler.faults.empty())
    return by_ways;
  const auto spec = backend::ParseSpec(*request.compiler.backend);
  if (!spec.ok()) return by_ways;
  const auto description = backends::Describe(*spec);
  if (!description.ok()) return by_ways;
  const auto ways = backends::WaysInto(*description, *spec);
  if (!ways.ok()) return by_ways;
  by_ways.resize(ways->size(), request);
  for (size_t i = 0; i < ways->size(); ++i) by_ways[i].compiler.backend = (*ways)[i].ToString();
  return by_ways;
}

/// Each is asked until one fails; if none does, it is the one that says most.
Result<HuntedGraph> HuntByWays(std::span<HuntRequest> ways, const std::string& file, bool quickly,
                               Oracle& oracle, Listener& listener) {
  std::optional<HuntedGraph> told;
  for (HuntRequest& way : ways) {
    way.file.file = file;
    HuntedGraph hunted = CULPRIT_TRY(HuntInGraph(way, Lines::kOfModel, quickly, oracle, listener));
    const bool has_passed = told && told->standing() == Standing::kPasses;
    if (has_passed && hunted.standing() == Standing::kFails)
      listener.OnNote(
          "note: below autograd it passes: what fails is above, or in the compiler's own gradients");
    const bool says_more = hunted.standing() != Standing::kInvalid;
    if (!told || (says_more && told->standing() != Standing::kIgnored)) told = std::move(hunted);
    if (told->standing() == Standing::kFails || listener.stop()) break;
  }
  return std::move(*told);
}

Result<HuntResult> HuntInModel(const HuntRequest& request, const tasks::Children& children,
                               Listener& listener) {
  const ModelGraphs model = CULPRIT_TRY(CaptureGraphs(request, children, listener));
  GraphSeries series{.all = request.all};
  for (const ModelGraph& graph : model.graphs)
    series.names.push_back(std::filesystem::path(graph.file).stem());
  if (!request.graph.empty()) {
    Result<size_t> chosen = ChooseGraph(series.names, request.graph);
    if (!chosen.ok()) {
      Diagnostic error = chosen.error();
      error.place.file = request.file.shown_file();
      return error;
    }
    series.only = *chosen;
  }
  std::vector<HuntRequest> ways = ByWays(request);
  const std::unique_ptr<Oracle> oracle = CULPRIT_TRY(PrepareOracle(request, children, listener));
  const HuntOne hunt = [&](size_t index, bool quickly) {
    const ModelGraph& graph = model.graphs[index];
    const size_t count = graph.is_half ? 1 : ways.size();
    return HuntByWays(std::span(ways).first(count), graph.file, quickly, *oracle, listener);
  };
  HuntResult result{.count = series.names.size(), .is_cut_off = model.is_cut_off && !series.only};
  result.graphs = CULPRIT_TRY(HuntInSeries(series, hunt, listener));
  return result;
}

}  // namespace

Result<HuntResult> Hunt(const HuntRequest& request, Listener& listener) {
  const tasks::Children children = CULPRIT_TRY(tasks::Children::Start());
  if (!request.resume.empty()) return Resume(request, children, listener);
  if (request.is_model) return HuntInModel(request, children, listener);
  CULPRIT_TRY(CheckOpens(request, children, listener));
  const std::unique_ptr<Oracle> oracle = CULPRIT_TRY(PrepareOracle(request, children, listener));
  HuntedGraph hunted =
      CULPRIT_TRY(HuntInGraph(request, Lines::kOfFile, /*quickly=*/false, *oracle, listener));
  return HuntResult{.graphs = {std::move(hunted)}};
}

}  // namespace culprit::hunt
