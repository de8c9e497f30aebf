// SPDX-License-Identifier: Apache-2.0
//
// culprit verify REPRO: does the recorded failure come back, in fresh processes?
#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "backend/failure/query_verdict.h"
#include "base/text.h"
#include "cli/ask_child.h"
#include "cli/checked_option.h"
#include "cli/command.h"
#include "cli/open_script.h"
#include "cli/piped_input.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "cli/query_options.h"
#include "cli/repro_question.h"
#include "cli/spawn_self.h"
#include "cli/wrap.h"

namespace culprit::cli {
namespace {

struct Options {
  ScriptOptions script;
  QueryOptions query;
  MatchOptions match;
  uint64_t times = 3;
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

base::Result<SpawnedSelf> AskFreshProcess(const Options& options) {
  std::shared_ptr<isolate::SharedMemory> input;
  if (IsPiped(options.script.file)) input = CULPRIT_TRY(PipedContents(options.script.file));
  return SpawnSelf(CommandLineAs("query", {{"--times", true}}), input.get());
}

void Count(const SpawnedSelf& query, Tally& tally) {
  ++tally.asked;
  const nlohmann::json answer = nlohmann::json::parse(query.out);
  tally.help = answer.value("help", "");
  if (query.status == kSuccess) {
    ++tally.same;
    tally.signature = answer.value("signature", "");
    return;
  }
  const std::string detail = answer.value("signature", answer.value("reason", ""));
  if (answer.at("answer") == NameOf(backend::Answer::kInvalid)) ++tally.invalid;
  ++tally.others[answer.at("answer").get<std::string>() + (detail.empty() ? "" : ": " + detail)];
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
  if (tally.same < tally.asked) text += HelpLine(tally.help);
  PrintOut("{}", Wrapped(text));
}

int Run(const Options& options) {
  Tally tally;
  ProgressLine progress(kMorePatience);
  for (uint64_t i = 0; i < options.times; ++i) {
    progress.Begin(fmt::format("process {} of {}", i + 1, options.times));
    const base::Result<SpawnedSelf> query = AskFreshProcess(options);
    if (!query.ok()) return Fail(query.error());
    if (query->status != kSuccess && query->status != kFailure) {
      WriteErr(query->err);
      return query->status;
    }
    Count(*query, tally);
  }
  Show(tally, options.json);
  if (tally.invalid == tally.asked) return kReference;
  return tally.same == tally.asked ? kSuccess : kFailure;
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->script.Declare(app);
  options->query.Declare(app);
  options->match.Declare(app);
  AddInteger(
      app, "--times", [options](uint64_t times) { options->times = times; }, 1, 10000,
      "In so many processes, one after the other; without it 3");
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
