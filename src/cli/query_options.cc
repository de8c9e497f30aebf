// SPDX-License-Identifier: Apache-2.0
#include "cli/query_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "backends/table.h"
#include "backends/trust.h"
#include "base/text.h"
#include "check/query/query.h"
#include "check/query/query_limits.h"
#include "cli/checked_option.h"
#include "cli/print.h"
#include "faults/fault.h"
#include "faults/idle.h"
#include "graph/passes/choose_parameters.h"

namespace culprit::cli {

using repro::kMostMib;
using repro::kMostSeconds;
using repro::NumberAmong;

void QueryOptions::Declare(CLI::App& app) {
  app.add_option_function<std::string>(
         "--backend", [this](const std::string& text) { backend = text; },
         "The compiler, as NAME or NAME:key=value,...; a name with a slash is a plug-in or a server. "
         "`culprit backends` "
         "lists them; "
         "without it what the file says, or eager")
      ->type_name("B");
  app.add_option("--fault", faults,
                 "Put a bug into the compiler, as WHERE:KIND[:ARGUMENT]; may be given several times. "
                 "`culprit faults` "
                 "lists them")
      ->type_name("F")
      ->allow_extra_args(false);
  app.add_option_function<std::string>(
         "--freeze", [this](const std::string& names) { freeze = names; },
         "For compilers that freeze parameters: which inputs are parameters; auto (those that the file "
         "names, or "
         "else those that stand where operators take weights), none, or names with commas between them")
      ->type_name("NAMES");
  app.add_option_function<std::vector<std::string>>(
         "--ignore",
         [this](const std::vector<std::string>& names) {
           for (const std::string& name : names) {
             const base::Result<backend::FailureKind> kind = backend::ParseFailureKind(name);
             if (!kind.ok())
               throw CLI::ValidationError("--ignore: " + kind.error().message + "; " + kind.error().notes[0]);
             ignored.insert(*kind);
           }
         },
         fmt::format("Set failures of this kind aside: they are told and do not count, and what they hide "
                     "counts; {}. May be given several times",
                     fmt::join(backend::NamesOfFailureKinds(), ", ")))
      ->type_name("KIND")
      ->expected(1)
      ->take_all();
  app.add_flag(
      "--trust", trust,
      "Use plug-ins, judges and folders that the file names; without it these are refused, since the "
      "file could run any code that way");
  AddInteger(
      app, "--timeout", [this](uint64_t seconds) { timeout_seconds = seconds; }, 1, kMostSeconds,
      fmt::format("End it after so many seconds; without it what the file records, or 60, or {} times what "
                  "eager takes if that is more",
                  check::kTimesEagersTime));
  AddInteger(
      app, "--cpu-limit", [this](uint64_t seconds) { cpu_seconds = seconds; }, 1, kMostSeconds,
      "End it when its threads together have computed for so many seconds; without it there is no such "
      "limit");
  AddInteger(
      app, "--memory-limit", [this](uint64_t mib) { memory_mib = mib; }, 1, kMostMib,
      fmt::format("End it when it uses so many MiB; without it what the file records, or 8192, or {} times "
                  "what eager takes if that is more",
                  check::kTimesEagersMemory));
  AddInteger(
      app, "--output-limit", [this](uint64_t kib) { output_kib = kib; }, 1, uint64_t{1} << 20,
      "Keep so many KiB of what it prints, the beginning and the end; without it 64");
}

isolate::Limits QueryOptions::limits() const {
  isolate::Limits limits = check::QueryLimits();
  if (timeout_seconds) {
    limits.wall_time = std::chrono::seconds(*timeout_seconds);
    limits.growth.time = 0;
  }
  if (cpu_seconds) limits.cpu_time = std::chrono::seconds(*cpu_seconds);
  if (memory_mib) {
    limits.memory_bytes = *memory_mib << 20;
    limits.growth.memory = 0;
  }
  if (output_kib) limits.output_bytes = *output_kib << 10;
  return limits;
}

isolate::Limits QueryOptions::limits(const repro::Header& header) const {
  QueryOptions merged = *this;
  merged.TakeRecorded(header);
  return merged.limits();
}

void QueryOptions::TakeRecorded(const repro::Header& header) {
  if (!timeout_seconds) timeout_seconds = NumberAmong(header.settings, repro::kTimeoutSetting);
  if (!cpu_seconds) cpu_seconds = NumberAmong(header.settings, repro::kCpuLimitSetting);
  if (ignored.empty()) {
    // A file that names no kinds is refused when it is opened (Apply).
    const base::Result<backend::FailureKinds> recorded = check::IgnoredKinds(header);
    if (recorded.ok()) ignored = *recorded;
  }
  if (memory_mib) return;
  memory_mib = NumberAmong(header.settings, repro::kMemoryLimitSetting);
  // A file may ask for more memory than a query usually has, but not for all that the machine has.
  if (memory_mib) memory_mib = std::min(*memory_mib, check::MostMemoryOfAQuery() >> 20);
}

void QueryOptions::Remember(repro::Header& header) const {
  if (timeout_seconds) header.settings[repro::kTimeoutSetting] = std::to_string(*timeout_seconds);
  if (cpu_seconds) header.settings[repro::kCpuLimitSetting] = std::to_string(*cpu_seconds);
  if (memory_mib) header.settings[repro::kMemoryLimitSetting] = std::to_string(*memory_mib);
  // Names are kept by the graph itself.
  if (freeze == "none") header.settings[repro::kFreezeSetting] = *freeze;
}

base::Status QueryOptions::CheckRecorded(const repro::Header& header) const {
  CULPRIT_TRY(check::IgnoredKinds(header));
  if (backend || trust) return base::Done{};
  return backends::CheckFromFile(CULPRIT_TRY(backend::ParseSpec(header.backend)));
}

base::Status QueryOptions::Apply(repro::Header& header, const std::string& file) const {
  if (!faults.empty()) header.faults = faults;
  if (backend) header.backend = *backend;
  if (!ignored.empty()) header.settings[repro::kIgnoreSetting] = backend::FailureKindsToString(ignored);
  const base::Status status = CheckRecorded(header);
  if (status.ok()) return status;
  base::Diagnostic error = status.error();
  if (error.place.file.empty()) error.place.file = file;
  return error;
}

bool NamesCompiler(const repro::Header& header) {
  return header.backend != "eager" || !header.faults.empty();
}

base::Status ChooseFrozen(repro::Repro& repro, const QueryOptions& options) {
  const std::unique_ptr<backend::Backend> backend = CULPRIT_TRY(check::OpenBackend(repro.header));
  if (backend->parameters() == backend::Parameters::kLifted) return base::Done{};
  const auto recorded = repro.header.settings.find(repro::kFreezeSetting);
  const std::string freeze =
      options.freeze.value_or(recorded == repro.header.settings.end() ? "auto" : recorded->second);
  graph::ChosenParameters chosen = CULPRIT_TRY(graph::ChooseParameters(repro.graph, freeze));
  std::vector<std::string> names;
  for (const size_t index : chosen.chosen)
    names.push_back(chosen.graph.value(chosen.graph.placeholders()[index].value).name);
  repro.graph = std::move(chosen.graph);
  if (names.empty()) return base::Done{};
  PrintErr("note: {} frozen as {}: {}; to choose others, use --freeze NAMES\n",
           base::Counted(names.size(), "input"), names.size() == 1 ? "a parameter" : "parameters",
           base::FirstOf(names));
  return base::Done{};
}

base::Status NoteIdleFaults(const repro::Repro& repro) {
  if (repro.header.faults.empty()) return base::Done{};
  const backend::Spec spec = CULPRIT_TRY(backend::ParseSpec(repro.header.backend));
  const backend::Description description = CULPRIT_TRY(backends::Describe(spec.name));
  const bool is_below = CULPRIT_TRY(backends::IsBelowAutograd(description, spec));
  const std::vector<faults::Fault> faults = CULPRIT_TRY(faults::ParseFaults(repro.header.faults, is_below));
  for (const faults::Fault& fault : faults) {
    if (!fault.where.GuiltyNodes(repro.graph).empty()) continue;
    const std::string text = fault.ToString();
    base::Result<std::string> why = faults::WhyIdle(fault.where, repro.graph);
    if (!why.ok()) return base::Diagnostic{{fmt::format("fault '{}'", text)}, why.error().message};
    PrintErr("note: the graph has nothing that the fault '{}' is for: {}{}\n", text, *why,
             is_below ? "; below autograd, where the compiler gets it, it may" : "");
  }
  return base::Done{};
}

void MatchOptions::Declare(CLI::App& app) {
  std::string modes;
  for (const backend::MatchModeDescription& mode : backend::kMatchModes)
    modes += fmt::format("{}{} ({})", modes.empty() ? "" : "; ", mode.name, mode.line);
  app.add_option_function<std::string>(
         "--match",
         [this](const std::string& name) {
           const base::Result<backend::MatchMode> mode = backend::ParseMatchMode(name);
           if (!mode.ok()) throw CLI::ValidationError("--match: " + mode.error().message);
           match = *mode;
         },
         "What has to be equal for a failure to be the same: " + modes)
      ->type_name("MODE");
  app.add_flag_callback(
      "--any-failure", [this] { match = backend::MatchMode::kAny; }, "The same as --match any");
}

}  // namespace culprit::cli
