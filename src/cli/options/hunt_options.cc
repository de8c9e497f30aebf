// SPDX-License-Identifier: Apache-2.0
#include "cli/options/hunt_options.h"

#include "cli/options/checked_option.h"
#include "cli/options/compiler_options.h"
#include "cli/options/file_options.h"
#include "cli/options/judge_options.h"
#include "cli/options/launcher_option.h"

namespace culprit::cli {

void DeclareHunt(CLI::App& app, hunt::HuntRequest& hunt) {
  DeclareFile(app, hunt.file);
  DeclareCompiler(app, hunt.compiler);
  Exclude(DeclareJudge(app, hunt.judge));
  DeclareMatch(app, hunt.match);
  app.add_option("--out", hunt.out, "Where the folder of the run is made; without it culprit_runs")
      ->type_name("DIR");
  app.add_option("--only", hunt.only,
                 "Only these strategies, with commas between them; `culprit strategies` lists them")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--skip", hunt.skip, "All strategies but these")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false);
  AddInteger(
      app, "--jobs", [&hunt](uint64_t number) { hunt.jobs = number; }, 1, 1024,
      "Ask so many questions at a time; without it one for every two threads of the machine, and at least "
      "two of "
      "a compiler that has a process of its own");
  DeclareLauncher(app, hunt.launcher);
  AddInteger(
      app, "--max-queries", [&hunt](uint64_t number) { hunt.max_questions = number; }, 1, UINT32_MAX,
      "Stop after so many questions, with the smallest program so far");
  AddInteger(
      app, "--max-time", [&hunt](uint64_t seconds) { hunt.max_seconds = seconds; }, 1, 1000000,
      "Stop after so many seconds, with the smallest program so far");
  app.add_flag_callback(
      "--no-switches", [&hunt] { hunt.switches = false; },
      "Do not try at the end which switch of the compiler makes the result pass (`culprit "
      "backends NAME` lists them), which takes 10 s at most");
}

}  // namespace culprit::cli
