// SPDX-License-Identifier: Apache-2.0
//
// culprit verify REPRO: does the recorded failure come back, in fresh processes?
#include <fmt/format.h>

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
#include "tasks/verify.h"

namespace culprit::cli {
namespace {

struct Options {
  tasks::VerifyRequest request;
  bool json = false;
};

void Show(const tasks::Tally& tally, bool json) {
  if (json) {
    nlohmann::ordered_json object{{"verified", tally.word()}, {"same", tally.same}, {"times", tally.asked}};
    if (!tally.signature.empty()) object["signature"] = tally.signature;
    object["others"] = tally.others;
    PrintOut("{}\n", object.dump(2));
    return;
  }
  std::string text =
      fmt::format("{}: the failure came back in {} of {}\n", tally.word(), tally.same,
                  tally.asked == 1 ? "1 fresh process" : fmt::format("{} fresh processes", tally.asked));
  if (!tally.signature.empty()) text += fmt::format("  {}\n", tally.signature);
  for (const auto& [answer, times] : tally.others)
    text += fmt::format("  {}: {}\n", base::Counted(times, "time"), answer);
  if (tally.same < tally.asked) text += report::HelpLine(tally.help);
  PrintOut("{}", report::Wrapped(text));
}

base::Result<tasks::Tally> VerifyWithProgress(const tasks::VerifyRequest& request) {
  ProgressLine progress(kMorePatience);
  return tasks::Verify(request, {.on_phase = [&](const std::string& phase) { progress.Begin(phase); },
                                 .on_note = [](const std::string& text) { PrintErr("{}\n", text); }});
}

int Run(Options options) {
  if (const base::Status piped = TakePiped(options.request.ask.file); !piped.ok()) return Fail(piped.error());
  const auto tally = VerifyWithProgress(options.request);
  if (!tally.ok()) return Fail(tally.error());
  Show(*tally, options.json);
  if (tally->invalid == tally->asked) return kReference;
  return tally->same == tally->asked ? kSuccess : kFailure;
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  DeclareAsk(app, options->request.ask);
  AddInteger(
      app, "--times", [options](uint64_t times) { options->request.times = times; }, 1, 10000,
      "In so many processes, one after the other; without it 3");
  CLI::Option* launcher = DeclareLauncher(app, options->request.launcher);
  AddInteger(
      app, "--jobs", [options](uint64_t jobs) { options->request.jobs = jobs; }, 1, 1024,
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
