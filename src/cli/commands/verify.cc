// SPDX-License-Identifier: Apache-2.0
//
// culprit verify REPRO: does the recorded failure come back, in fresh processes?
#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/command.h"
#include "cli/options/ask_options.h"
#include "cli/options/checked_option.h"
#include "cli/options/launcher_option.h"
#include "cli/options/piped_input.h"
#include "cli/show/print.h"
#include "cli/show/progress_line.h"
#include "report/finding_text.h"
#include "report/wrap.h"
#include "tasks/ask_workers.h"

namespace culprit::cli {
namespace {

struct Options {
  tasks::AskRequest ask;
  uint64_t times = 3;
  std::string launcher;
  uint64_t jobs = 1;
  bool json = false;
};

struct Tally {
  uint64_t same = 0;
  uint64_t asked = 0;
  /// Eager itself failed.
  uint64_t invalid = 0;
  /// The other answers, how often each.
  std::map<std::string, uint64_t> others;
  std::string signature;
  /// What to type, if a limit ended the last of them.
  std::string help;
};

void Count(const check::QuestionReply& reply, Tally& tally) {
  ++tally.asked;
  tally.help = reply.finding.help;
  const backend::QuestionVerdict& verdict = reply.verdict;
  const std::string signature = verdict.signature ? verdict.signature->ToString() : "";
  if (verdict.answer == backend::Answer::kSameFailure) {
    ++tally.same;
    tally.signature = signature;
    return;
  }
  const std::string& detail = signature.empty() ? verdict.reason : signature;
  if (verdict.answer == backend::Answer::kInvalid) ++tally.invalid;
  ++tally.others[std::string(NameOf(verdict.answer)) + (detail.empty() ? "" : ": " + detail)];
}

std::string_view WordFor(const Tally& tally) {
  if (tally.same == tally.asked) return "always";
  return tally.same == 0 ? "never" : "sometimes";
}

void Show(const Tally& tally, bool json) {
  if (json) {
    nlohmann::ordered_json object{{"verified", WordFor(tally)}, {"same", tally.same}, {"times", tally.asked}};
    if (!tally.signature.empty()) object["signature"] = tally.signature;
    object["others"] = tally.others;
    PrintOut("{}\n", object.dump(2));
    return;
  }
  std::string text =
      fmt::format("{}: the failure came back in {} of {}\n", WordFor(tally), tally.same,
                  tally.asked == 1 ? "1 fresh process" : fmt::format("{} fresh processes", tally.asked));
  if (!tally.signature.empty()) text += fmt::format("  {}\n", tally.signature);
  for (const auto& [answer, times] : tally.others)
    text += fmt::format("  {}: {}\n", base::Counted(times, "time"), answer);
  if (tally.same < tally.asked) text += report::HelpLine(tally.help);
  PrintOut("{}", report::Wrapped(text));
}

base::Status AskOneByOne(const Options& options, const tasks::AskRequest& request, Tally& tally) {
  ProgressLine progress(kMorePatience);
  for (uint64_t i = 0; i < options.times; ++i) {
    progress.Begin(fmt::format("process {} of {}", i + 1, options.times));
    Count(CULPRIT_TRY(tasks::AskFreshProgram(request)), tally);
  }
  return base::Done{};
}

/// What becomes of workers is told where it matters: if none is left.
base::Status AskWorkers(const Options& options, const tasks::AskRequest& request, Tally& tally) {
  const tasks::Children children = CULPRIT_TRY(tasks::Children::Start());
  CULPRIT_TRY(CULPRIT_TRY(tasks::AnswerOf(children.Load({request.file, request.compiler}))).answer);
  open::Notes notes;
  const tasks::OpenedQuestion question = CULPRIT_TRY(tasks::OpenQuestion(request, notes));
  const uint64_t jobs = std::min(options.jobs, options.times);
  const auto workers =
      CULPRIT_TRY(tasks::Workers::Start({options.launcher, jobs, request.file.libraries}, nullptr,
                                        [](const std::string& text) { PrintErr("{}\n", text); }));
  ProgressLine progress(kMorePatience);
  progress.Begin("waiting for a worker");
  CULPRIT_TRY(workers->WaitForOne());
  progress.Begin(fmt::format("{} in workers", base::Counted(options.times, "process")));
  std::vector<std::future<base::Result<check::QuestionReply>>> replies;
  for (uint64_t i = 0; i < options.times; ++i) {
    if (i >= jobs) replies[i - jobs].wait();
    replies.push_back(std::async(std::launch::async, tasks::AskFreshWorkers, workers, std::cref(question)));
  }
  for (auto& reply : replies) Count(CULPRIT_TRY(reply.get()), tally);
  return base::Done{};
}

int Run(const Options& options) {
  tasks::AskRequest request = options.ask;
  if (const base::Status piped = TakePiped(request.file); !piped.ok()) return Fail(piped.error());
  Tally tally;
  const base::Status asked =
      options.launcher.empty() ? AskOneByOne(options, request, tally) : AskWorkers(options, request, tally);
  if (!asked.ok()) return Fail(asked.error());
  Show(tally, options.json);
  if (tally.invalid == tally.asked) return kReference;
  return tally.same == tally.asked ? kSuccess : kFailure;
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  DeclareAsk(app, options->ask);
  AddInteger(
      app, "--times", [options](uint64_t times) { options->times = times; }, 1, 10000,
      "In so many processes, one after the other; without it 3");
  CLI::Option* launcher = DeclareLauncher(app, options->launcher);
  AddInteger(
      app, "--jobs", [options](uint64_t jobs) { options->jobs = jobs; }, 1, 1024,
      "With so many workers at a time; without it 1")
      ->needs(launcher);
  app.add_flag("--json", options->json, "Show the result as JSON");
  return [options] { return Run(*options); };
}

constexpr std::string_view kDescription =
    "Asks a repro several times, each time in a process that is started for it, whether the failure that it "
    "records comes "
    "back: always, sometimes (in so many of so many), or never. Only what comes back always is a repro to "
    "hand on.";

constexpr Example kExamples[] = {
    {"culprit verify repro.py", "Does the failure come back?"},
    {"culprit verify repro.py --times 100", "How often does a failure come that comes sometimes?"},
};

}  // namespace

const Command kVerifyCommand = {
    .name = "verify",
    .summary = "check that a repro fails again in fresh processes",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit query --help",
    .meaning_of_success = "the failure came back every time",
    .meaning_of_failure = "it did not, or not every time",
    .meaning_of_reference = kEagerFails,
    .declare = Declare,
};

}  // namespace culprit::cli
