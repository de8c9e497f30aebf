// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/minify_repro.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

#include "base/seconds_since.h"
#include "base/text.h"
#include "hunt/result/summary.h"
#include "hunt/run/examine.h"
#include "hunt/run/keep_insight.h"
#include "hunt/run/run_record.h"
#include "hunt/run/take_back.h"
#include "minify/strategies/table.h"
#include "repro/write_repro.h"

namespace culprit::hunt {
namespace {

using base::SecondsSince;
using Clock = std::chrono::steady_clock;

size_t QuestionsBefore(const MinifyRepro& job) {
  return job.resumed ? job.resumed->answers.size() : 0;
}

double SecondsBefore(const MinifyRepro& job) {
  return job.resumed ? job.resumed->seconds : 0;
}

minify::SearchOptions OptionsOf(const MinifyRepro& job, std::vector<minify::StrategyEntry> strategies) {
  minify::SearchOptions options;
  options.strategies = std::move(strategies);
  options.jobs = job.jobs;
  options.max_questions = job.max_questions;
  if (job.max_time) options.deadline = Clock::now() + *job.max_time;
  if (job.memory_bytes) options.recording_limits = {*job.memory_bytes, job.folder.path()};
  if (job.resumed) options.remembered = job.resumed->answers;
  options.costs = std::make_shared<const minify::Costs>(job.plan.costs);
  options.first = job.plan.first;
  return options;
}

/// Lets the record hear of everything, and the user of how far it is. Without a record there is no search.
void Listen(const MinifyRepro& job, RunRecord& record, const Oracle& oracle, Listener& listener,
            minify::SearchOptions& options) {
  auto progress = std::make_shared<Progress>();
  progress->operators_before = progress->operators = job.repro.graph.nodes().size();
  progress->questions = QuestionsBefore(job);
  options.stop = [&oracle, &listener, &record] { return HasToStop(oracle, listener) || record.error(); };
  auto last = std::make_shared<Clock::time_point>(Clock::now());
  const auto show = [&listener, progress](std::string_view strategy) {
    progress->strategy = strategy;
    listener.OnProgress(*progress);
  };
  options.on_answer = [&record, progress, last, show](const minify::Asked& asked) {
    record.Answer(asked, SecondsSince(std::exchange(*last, Clock::now())));
    ++progress->questions;
    show(asked.strategy);
  };
  options.on_smaller = [&record, progress, show](const minify::Smaller& smaller) {
    record.Smaller(smaller);
    progress->operators = smaller.program.graph.nodes().size();
    show(smaller.strategy);
  };
  if (!options.strategies.empty()) show(options.strategies.front().name);
}

void AddResult(const MinifyRepro& job, const minify::SearchResult& result, Report& report) {
  report.nearest = FindNearest(result.program, result.passing);
  report.tried = result.tried;
  report.ended = result.ended;
  report.questions_before = QuestionsBefore(job);
  report.questions = report.questions_before + result.questions;
}

base::Result<minify::SearchResult> Search(const MinifyRepro& job, RunRecord& record, Oracle& oracle,
                                          Listener& listener) {
  minify::SearchOptions options = OptionsOf(job, CULPRIT_TRY(StrategiesNamed(job.plan.strategies)));
  Listen(job, record, oracle, listener, options);
  minify::SearchResult found =
      CULPRIT_TRY(minify::Minimize({job.repro.graph, job.repro.inputs}, oracle.check(), options));
  if (record.error()) return *record.error();
  return found;
}

/// Twice: the second look may take long, or be interrupted.
void WriteReport(const MinifyRepro& job, Oracle& oracle, Listener& listener, Report& report) {
  base::Status written = repro::WriteText(job.folder.summary(), SummaryOf(report));
  std::future<ShownRun> shown;
  if (!HasToStop(oracle, listener)) {
    listener.OnPhase("running it for the report");
    shown = std::async(job.jobs > 1 ? std::launch::async : std::launch::deferred,
                       [&] { return oracle.Show(job.folder.repro()); });
  }
  Examine(job, oracle, listener, report);
  if (shown.valid()) report.shown = shown.get();
  if (written.ok()) written = KeepInsight(job.folder, report.shown);
  if (written.ok() && report.plain && report.plain->fails_so)
    written = repro::WriteText(job.folder.plain(), report.plain->text);
  if (written.ok()) written = repro::WriteText(job.folder.summary(), SummaryOf(report));
  if (!written.ok()) report.summary_error = written.error();
}

}  // namespace

bool HasToStop(const Oracle& oracle, const Listener& listener) {
  return listener.stop() || oracle.broken();
}

base::Result<Report> Minify(const MinifyRepro& job, Oracle& oracle, Listener& listener) {
  const Clock::time_point start = Clock::now();
  RunRecord record = CULPRIT_TRY(RunRecord::Begin(job));
  const minify::SearchResult found = CULPRIT_TRY(Search(job, record, oracle, listener));
  Report report{.folder = job.folder.path(),
                .header = job.repro.header,
                .judge = job.plan.judge,
                .options = job.options,
                .expected = job.plan.expected,
                .signature = job.plan.expected.signature,
                .before = ExtentOf({job.repro.graph, job.repro.inputs})};
  AddResult(job, found, report);
  report.finds = record.finds();
  CULPRIT_TRY(TakeBackUntilVerified(job, record.steps(), found.program, oracle, listener, report));
  report.seconds = SecondsBefore(job) + SecondsSince(start);
  WriteReport(job, oracle, listener, report);
  return report;
}

}  // namespace culprit::hunt
