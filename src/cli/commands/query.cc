// SPDX-License-Identifier: Apache-2.0
//
// culprit query REPRO: does it still fail in the same way? For scripts and for reducers of others.
#include <memory>

#include "cli/command.h"
#include "cli/options/ask_options.h"
#include "cli/options/piped_input.h"
#include "cli/show/print.h"
#include "report/finding_text.h"
#include "tasks/ask.h"

namespace culprit::cli {
namespace {

struct Options {
  tasks::AskRequest ask;
  bool json = false;
};

base::Result<check::QuestionReply> Ask(tasks::AskRequest request) {
  CULPRIT_TRY(TakePiped(request.file));
  return tasks::Ask(CULPRIT_TRY(tasks::Children::Start()), request);
}

int Run(const Options& options) {
  const base::Result<check::QuestionReply> reply = Ask(options.ask);
  if (!reply.ok()) return Fail(reply.error());
  PrintOut("{}", options.json ? report::ReplyAsJson(*reply) : report::ReplyAsText(*reply));
  return reply->verdict.answer == backend::Answer::kSameFailure ? kSuccess : kFailure;
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  DeclareAsk(app, options->ask);
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
