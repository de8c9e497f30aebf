// SPDX-License-Identifier: Apache-2.0
#include "cli/options/compiler_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/query/query_limits.h"
#include "cli/options/checked_option.h"
#include "repro/header/header_settings.h"

namespace culprit::cli {

using repro::kMostMib;
using repro::kMostSeconds;

void DeclareCompiler(CLI::App& app, open::CompilerRequest& compiler) {
  app.add_option_function<std::string>(
         "--backend", [&compiler](const std::string& text) { compiler.backend = text; },
         "The compiler, as NAME or NAME:key=value,...; a name with a slash is a plug-in or a server. "
         "`culprit backends` "
         "lists them; "
         "without it what the file says, or eager")
      ->type_name("B");
  app.add_option("--fault", compiler.faults,
                 "Put a bug into the compiler, as WHERE:KIND[:ARGUMENT]; may be given several times. "
                 "`culprit faults` "
                 "lists them")
      ->type_name("F")
      ->allow_extra_args(false);
  app.add_option_function<std::string>(
         "--freeze", [&compiler](const std::string& names) { compiler.freeze = names; },
         "For compilers that freeze parameters: which inputs are parameters; auto (those that the file "
         "names, or "
         "else those that stand where operators take weights), none, or names with commas between them")
      ->type_name("NAMES");
  app.add_option_function<std::vector<std::string>>(
         "--ignore",
         [&compiler](const std::vector<std::string>& names) {
           for (const std::string& name : names) {
             const base::Result<backend::FailureKind> kind = backend::ParseFailureKind(name);
             if (!kind.ok())
               throw CLI::ValidationError("--ignore: " + kind.error().message + "; " + kind.error().notes[0]);
             compiler.ignored.insert(*kind);
           }
         },
         fmt::format("Set failures of this kind aside: they are told and do not count, and what they hide "
                     "counts; {}. May be given several times",
                     fmt::join(backend::NamesOfFailureKinds(), ", ")))
      ->type_name("KIND")
      ->expected(1)
      ->take_all();
  app.add_flag(
      "--trust", compiler.trust,
      "Use plug-ins, judges and folders that the file names; without it these are refused, since the "
      "file could run any code that way");
  AddInteger(
      app, "--timeout", [&compiler](uint64_t seconds) { compiler.timeout_seconds = seconds; }, 1,
      kMostSeconds,
      fmt::format("End it after so many seconds; without it what the file records, or 60, or {} times what "
                  "eager takes if that is more",
                  check::kTimesEagersTime));
  AddInteger(
      app, "--cpu-limit", [&compiler](uint64_t seconds) { compiler.cpu_seconds = seconds; }, 1, kMostSeconds,
      "End it when its threads together have computed for so many seconds; without it there is no such "
      "limit");
  AddInteger(
      app, "--memory-limit", [&compiler](uint64_t mib) { compiler.memory_mib = mib; }, 1, kMostMib,
      fmt::format("End it when it uses so many MiB; without it what the file records, or 8192, or {} times "
                  "what eager takes if that is more",
                  check::kTimesEagersMemory));
  AddInteger(
      app, "--output-limit", [&compiler](uint64_t kib) { compiler.output_kib = kib; }, 1, uint64_t{1} << 20,
      "Keep so many KiB of what it prints, the beginning and the end; without it 64");
}

void DeclareMatch(CLI::App& app, backend::MatchMode& match) {
  std::string modes;
  for (const backend::MatchModeDescription& mode : backend::kMatchModes)
    modes += fmt::format("{}{} ({})", modes.empty() ? "" : "; ", mode.name, mode.line);
  app.add_option_function<std::string>(
         "--match",
         [&match](const std::string& name) {
           const base::Result<backend::MatchMode> mode = backend::ParseMatchMode(name);
           if (!mode.ok()) throw CLI::ValidationError("--match: " + mode.error().message);
           match = *mode;
         },
         "What has to be equal for a failure to be the same: " + modes)
      ->type_name("MODE");
  app.add_flag_callback(
      "--any-failure", [&match] { match = backend::MatchMode::kAny; }, "The same as --match any");
}

}  // namespace culprit::cli
