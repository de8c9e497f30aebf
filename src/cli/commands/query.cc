// SPDX-License-Identifier: Apache-2.0
//
// culprit query REPRO: does it still fail in the same way? For scripts and for reducers of others.
#include <fmt/format.h>

#include <memory>

#include "check/query/query.h"
#include "cli/ask_child.h"
#include "cli/command.h"
#include "cli/print.h"
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

base::Diagnostic NothingToAsk(const Options& options) {
  base::Diagnostic error{{options.script.shown_file()},
                         "names neither a compiler nor a failure, so there is nothing to ask"};
  error.help = "name a compiler, as in: --backend torchscript:stage=ofi; `culprit backends` lists them";
  return error;
}

base::Result<check::Reply> Ask(const Options& options) {
  repro::Header header = CULPRIT_TRY(ReadHeaderInChild(options.script));
  const check::Expectation expected = CULPRIT_TRY(ExpectationOf(header, options.match.match));
  std::vector<std::string> words = CommandLineAs("run", {{"--match", true}, {"--any-failure"}, {"--json"}});
  // Without any compiler `run` would only show outputs.
  CULPRIT_TRY(options.query.Apply(header, options.script.shown_file()));
  if (!NamesCompiler(header) && !options.query.backend) {
    if (header.expected.empty()) return NothingToAsk(options);
    words.insert(words.end(), {"--backend", "eager"});
  }
  const backend::FailureKinds ignored = CULPRIT_TRY(check::IgnoredKinds(header));
  const check::AskOnce ask = [&](const repro::Repro&) {
    return AskChild(words, options.query.limits(header), ignored);
  };
  return check::AskRepeatedly(ask, {}, expected);
}

int Run(const Options& options) {
  const base::Result<check::Reply> reply = Ask(options);
  if (!reply.ok()) return Fail(reply.error());
  PrintOut("{}", options.json ? ReplyAsJson(*reply) : ReplyAsText(*reply));
  return reply->verdict.answer == backend::Answer::kSameFailure ? kSuccess : kFailure;
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
    "Compiles and runs a repro, in a process of its own, and says whether it fails as it did when it "
    "was written. The "
    "exit code is the one that llvm-reduce and C-Vise want of an interestingness test: 0 if it still fails "
    "in the same way, 1 "
    "if it passes, fails otherwise, or does not run in eager.\n\n"
    "A repro that records no failure is asked whether it fails at all; one that names no compiler either is "
    "an error.";

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
    .meaning_of_success = "it still fails in the same way",
    .meaning_of_failure = "it passes, fails otherwise, or does not run in eager",
    .declare = Declare,
};

}  // namespace culprit::cli
