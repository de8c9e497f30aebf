// SPDX-License-Identifier: Apache-2.0
#include "cli/query_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "check/query.h"
#include "cli/checked_option.h"
#include "faults/fault.h"
#include "graph/choose_parameters.h"

namespace culprit::cli {

void QueryOptions::Declare(CLI::App& app) {
  app.add_option_function<std::string>(
         "--backend", [this](const std::string& text) { backend = text; },
         "The compiler, as NAME or NAME:key=value,...; a name with a slash is a plug-in. `culprit backends` "
         "lists them; "
         "without it what the file says, or eager")
      ->type_name("B");
  app.add_option("--fault", faults,
                 "Put a bug into the compiler, as WHERE:KIND[:ARGUMENT]; may be given several times. "
                 "`culprit faults` "
                 "lists them")
      ->type_name("F")
      ->allow_extra_args(false);
  app.add_option(
         "--freeze", freeze,
         "For compilers that freeze parameters: which inputs are parameters; auto (those that the file "
         "names, or "
         "else those that stand where operators take weights), none, or names with commas between them")
      ->type_name("NAMES");
  AddInteger(
      app, "--timeout", [this](uint64_t seconds) { timeout_seconds = seconds; }, 1, 1000000,
      "End it after so many seconds; without it 60");
  AddInteger(
      app, "--memory-limit", [this](uint64_t mib) { memory_mib = mib; }, 1, uint64_t{1} << 30,
      "End it when it uses so many MiB; without it 8192");
}

isolate::Limits QueryOptions::limits() const {
  isolate::Limits limits;
  if (timeout_seconds) limits.wall_time = std::chrono::seconds(*timeout_seconds);
  if (memory_mib) limits.memory_bytes = *memory_mib << 20;
  return limits;
}

void QueryOptions::Apply(repro::Header& header) const {
  if (backend) header.backend = *backend;
  if (!faults.empty()) header.faults = faults;
}

bool NamesCompiler(const repro::Header& header) {
  return header.backend != "eager" || !header.faults.empty();
}

base::Status ChooseFrozen(repro::Repro& repro, const std::string& freeze) {
  const std::unique_ptr<backend::Backend> backend = CULPRIT_TRY(check::OpenBackend(repro.header));
  if (backend->parameters() != backend::Parameters::kFrozen) return base::Done{};
  graph::ChosenParameters chosen = CULPRIT_TRY(graph::ChooseParameters(repro.graph, freeze));
  std::vector<std::string> names;
  for (const size_t index : chosen.chosen)
    names.push_back(chosen.graph.value(chosen.graph.placeholders()[index].value).name);
  repro.graph = std::move(chosen.graph);
  fmt::print(stderr, "note: {} frozen as parameters{}{}; to choose others, use --freeze NAMES\n",
             base::Counted(names.size(), "input"), names.empty() ? "" : ": ", fmt::join(names, ", "));
  return base::Done{};
}

base::Status NoteIdleFaults(const repro::Repro& repro) {
  for (const std::string& text : repro.header.faults) {
    const faults::Fault fault = CULPRIT_TRY(faults::ParseFault(text));
    if (fault.where.GuiltyNodes(repro.graph).empty())
      fmt::print(stderr, "note: the graph has nothing that the fault '{}' is for\n", text);
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
