// SPDX-License-Identifier: Apache-2.0
#include "cli/minify_options.h"

#include <algorithm>

#include "cli/checked_option.h"
#include "hunt/minify_repro.h"
#include "minify/strategies/table.h"
#include "repro/run_folder.h"

namespace culprit::cli {

void MinifyOptions::Declare(CLI::App& app, ScriptOptions::Which graphs) {
  script.Declare(app, graphs);
  query.Declare(app);
  Exclude(judge.Declare(app));
  match.Declare(app);
  out = repro::kDefaultRunsFolder;
  app.add_option("--out", out, "Where the folder of the run is made; without it culprit_runs")
      ->type_name("DIR");
  app.add_option("--only", only,
                 "Only these strategies, with commas between them; `culprit strategies` lists them")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--skip", skip, "All strategies but these")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false);
  AddInteger(
      app, "--jobs", [this](uint64_t number) { jobs = number; }, 1, 1024,
      "Ask so many questions at a time; without it one for every two threads of the machine");
  AddInteger(
      app, "--max-queries", [this](uint64_t number) { max_queries = number; }, 1, UINT32_MAX,
      "Stop after so many questions, with the smallest program so far");
  AddInteger(
      app, "--max-time", [this](uint64_t seconds) { max_seconds = seconds; }, 1, 1000000,
      "Stop after so many seconds, with the smallest program so far");
  app.add_flag_callback(
      "--no-switches", [this] { switches = false; },
      "Do not try at the end which switch of the compiler makes the result pass (`culprit "
      "backends NAME` lists them), which takes 10 s at most");
  app.add_flag("--json", json, "Show the result as JSON");
}

base::Result<std::vector<std::string>> MinifyOptions::strategies() const {
  for (const std::vector<std::string>* names : {&only, &skip}) CULPRIT_TRY(hunt::StrategiesNamed(*names));
  std::vector<std::string> wanted;
  for (const minify::StrategyEntry& entry : minify::strategies::AllStrategies()) {
    const bool is_named = std::ranges::count(only, entry.name) > 0;
    if ((only.empty() || is_named) && std::ranges::count(skip, entry.name) == 0)
      wanted.emplace_back(entry.name);
  }
  if (wanted.empty()) return base::Diagnostic{{}, "no strategy is left"};
  return wanted;
}

}  // namespace culprit::cli
