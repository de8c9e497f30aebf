// SPDX-License-Identifier: Apache-2.0
#include "hunt/minify_repro.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "hunt/examine.h"
#include "hunt/run_record.h"
#include "hunt/summary.h"
#include "hunt/take_back.h"
#include "minify/strategies/table.h"
#include "repro/write_repro.h"

namespace culprit::hunt {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

size_t QuestionsBefore(const MinifyRepro& job) {
  return job.resumed ? job.resumed->answers.size() : 0;
}

double SecondsBefore(const MinifyRepro& job) {
  return job.resumed ? job.resumed->seconds : 0;
}

minify::SearchOptions OptionsOf(const MinifyRepro& job, std::vector<minify::StrategyEntry> strategies) {
  minify::SearchOptions options;
  options.strategies = std::move(strategies);
  options.jobs = job.plan.jobs;
  options.max_questions = job.max_questions;
  if (job.max_time) options.deadline = Clock::now() + *job.max_time;
  if (job.memory_bytes) options.recording_limits = {*job.memory_bytes, job.folder.path()};
  options.stop = job.stop;
  if (job.resumed) options.remembered = job.resumed->answers;
  options.costs = std::make_shared<const minify::Costs>(job.plan.costs);
  options.first = job.plan.first;
  return options;
}

/// Lets the record hear of everything, and the user of how far it is. Without a record there is no search.
void Listen(const MinifyRepro& job, RunRecord& record, minify::SearchOptions& options) {
  auto progress = std::make_shared<Progress>();
  progress->operators_before = progress->operators = job.repro.graph.nodes().size();
  progress->questions = QuestionsBefore(job);
  options.stop = [&job, &record] { return job.stop() || record.error(); };
  auto last = std::make_shared<Clock::time_point>(Clock::now());
  const auto show = [&job, progress](std::string_view strategy) {
    progress->strategy = strategy;
    job.on_progress(*progress);
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

}  // namespace

base::Result<std::vector<minify::StrategyEntry>> StrategiesNamed(const std::vector<std::string>& names) {
  std::vector<minify::StrategyEntry> entries;
  std::vector<std::string_view> known;
  for (const minify::StrategyEntry& entry : minify::strategies::AllStrategies()) known.push_back(entry.name);
  for (const std::string& name : names) {
    const auto found = std::ranges::find(minify::strategies::AllStrategies(), std::string_view(name),
                                         &minify::StrategyEntry::name);
    if (found == minify::strategies::AllStrategies().end()) {
      base::Diagnostic error{
          {},
          fmt::format("there is no strategy '{}'{}", base::Printable(name), base::DidYouMean(name, known))};
      error.help = "to see all of them, run: culprit strategies";
      return error;
    }
    entries.push_back(*found);
  }
  return entries;
}

base::Result<Report> Minify(const MinifyRepro& job, minify::FailureCheck& check) {
  const Clock::time_point start = Clock::now();
  minify::SearchOptions options = OptionsOf(job, CULPRIT_TRY(StrategiesNamed(job.plan.strategies)));
  RunRecord record = CULPRIT_TRY(RunRecord::Begin(job));
  Listen(job, record, options);
  const minify::Program original{job.repro.graph, job.repro.inputs};
  const minify::SearchResult result = CULPRIT_TRY(minify::Minimize(original, check, options));
  if (record.error()) return *record.error();
  Report report{.folder = job.folder.path(),
                .header = job.repro.header,
                .judge = job.plan.judge,
                .options = job.options,
                .expected = job.plan.expected,
                .signature = job.plan.expected.signature,
                .before = ExtentOf(original)};
  AddResult(job, result, report);
  report.finds = record.finds();
  CULPRIT_TRY(TakeBackUntilVerified(job, record.steps(), result.program, report));
  report.seconds = SecondsBefore(job) + SecondsSince(start);
  // Before anything else can take long.
  base::Status written = repro::WriteText(job.folder.summary(), SummaryOf(report));
  if (!job.stop()) report.shown = job.show(job.folder.repro());
  Examine(job, report);
  if (written.ok()) written = repro::WriteText(job.folder.summary(), SummaryOf(report));
  if (!written.ok()) report.summary_error = written.error();
  return report;
}

}  // namespace culprit::hunt
