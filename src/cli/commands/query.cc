// SPDX-License-Identifier: Apache-2.0
//
// culprit query REPRO: does it still fail in the same way? For scripts and for reducers of others.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/compiled_run.h"
#include "cli/isolated_command.h"
#include "cli/load_for_query.h"
#include "cli/query_options.h"
#include "cli/repro_question.h"

namespace culprit::cli {
namespace {

struct Options {
  ScriptOptions script;
  QueryOptions query;
  MatchOptions match;
  bool json = false;
};

int Show(const check::Finding& finding, const repro::Header& header, const Options& options) {
  const base::Result<check::Expectation> expected = ExpectationOf(header, options.match.match);
  if (!expected.ok()) return Fail(expected.error());
  const backend::QueryVerdict verdict = check::Judge(finding, *expected);
  fmt::print("{}", options.json ? QueryVerdictAsJson(verdict) : QueryVerdictAsText(verdict));
  return verdict.answer == backend::Answer::kSameFailure ? kSuccess : kFailure;
}

int Ask(const Options& options) {
  const base::Result<repro::Repro> repro = LoadForQuery(options.script, options.query);
  if (!repro.ok()) return Fail(repro.error());
  const base::Result<CompiledRun> run = RunCompiled(*repro, 1);
  if (!run.ok()) return Fail(run.error());
  return Show(run->finding, repro->header, options);
}

int Run(const Options& options) {
  if (InChild()) return Ask(options);
  return RunInChild(options.query.limits(), [&](const isolate::Outcome& outcome) {
    const base::Result<repro::Header> header = ReadHeaderInChild(options.script);
    return header.ok() ? Show(check::SignEnding(outcome), *header, options) : Fail(header.error());
  });
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->script.Declare(app);
  options->query.Declare(app);
  options->match.Declare(app);
  app.add_flag("--json", options->json, "Show the answer as one line of JSON");
  return [options] { return Run(*options); };
}

constexpr std::string_view kDescription =
    "Compiles and runs a repro once, in a process of its own, and says whether it fails as it did when it "
    "was written. The "
    "exit code is the one that llvm-reduce and C-Vise want of an interestingness test: 0 if it still fails "
    "in the same way, 1 "
    "if it passes, fails otherwise, or does not run in eager.\n\n"
    "A repro that records no failure is asked whether it fails at all.";

constexpr Example kExamples[] = {
    {"culprit query repro.py", "Does it still fail in the same way?"},
    {"culprit query repro.py --match kind", "Does it fail in the same phase with the same kind of failure?"},
};

}  // namespace

const Command kQueryCommand = {
    .name = "query",
    .summary = "ask once whether a repro still fails in the same way",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit verify --help, culprit run --help",
    .declare = Declare,
};

}  // namespace culprit::cli
