// SPDX-License-Identifier: Apache-2.0
#include "cli/query_options.h"

#include <fmt/format.h>

#include <charconv>

#include "backends/table.h"
#include "base/text.h"
#include "check/query.h"
#include "cli/checked_option.h"
#include "faults/fault.h"
#include "graph/choose_parameters.h"

namespace culprit::cli {

namespace {

/// Among the settings of a repro.
constexpr const char* kTimeout = "timeout";
constexpr const char* kCpuLimit = "cpu_limit";
constexpr const char* kMemoryLimit = "memory_limit";

constexpr uint64_t kMostSeconds = 1000000;
constexpr uint64_t kMostMib = uint64_t{1} << 30;

std::optional<uint64_t> NumberAmong(const std::map<std::string, std::string>& settings, const char* name,
                                    uint64_t most) {
  const auto found = settings.find(name);
  if (found == settings.end()) return std::nullopt;
  const std::string& text = found->second;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > most)
    return std::nullopt;
  return number;
}

}  // namespace

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
  app.add_option_function<std::string>(
         "--freeze", [this](const std::string& names) { freeze = names; },
         "For compilers that freeze parameters: which inputs are parameters; auto (those that the file "
         "names, or "
         "else those that stand where operators take weights), none, or names with commas between them")
      ->type_name("NAMES");
  AddInteger(
      app, "--timeout", [this](uint64_t seconds) { timeout_seconds = seconds; }, 1, kMostSeconds,
      "End it after so many seconds; without it what the file records, or 60");
  AddInteger(
      app, "--cpu-limit", [this](uint64_t seconds) { cpu_seconds = seconds; }, 1, kMostSeconds,
      "End it when its threads together have computed for so many seconds; without it there is no such "
      "limit");
  AddInteger(
      app, "--memory-limit", [this](uint64_t mib) { memory_mib = mib; }, 1, kMostMib,
      "End it when it uses so many MiB; without it what the file records, or 8192");
  AddInteger(
      app, "--output-limit", [this](uint64_t kib) { output_kib = kib; }, 1, uint64_t{1} << 20,
      "Keep so many KiB of what it prints, the beginning and the end; without it 64");
}

isolate::Limits QueryOptions::limits() const {
  isolate::Limits limits;
  if (timeout_seconds) limits.wall_time = std::chrono::seconds(*timeout_seconds);
  if (cpu_seconds) limits.cpu_time = std::chrono::seconds(*cpu_seconds);
  if (memory_mib) limits.memory_bytes = *memory_mib << 20;
  if (output_kib) limits.output_bytes = *output_kib << 10;
  return limits;
}

isolate::Limits QueryOptions::limits(const repro::Header& header) const {
  QueryOptions merged = *this;
  merged.TakeLimits(header);
  return merged.limits();
}

void QueryOptions::TakeLimits(const repro::Header& header) {
  if (!timeout_seconds) timeout_seconds = NumberAmong(header.settings, kTimeout, kMostSeconds);
  if (!cpu_seconds) cpu_seconds = NumberAmong(header.settings, kCpuLimit, kMostSeconds);
  if (!memory_mib) memory_mib = NumberAmong(header.settings, kMemoryLimit, kMostMib);
}

void QueryOptions::Remember(repro::Header& header) const {
  if (timeout_seconds) header.settings[kTimeout] = std::to_string(*timeout_seconds);
  if (cpu_seconds) header.settings[kCpuLimit] = std::to_string(*cpu_seconds);
  if (memory_mib) header.settings[kMemoryLimit] = std::to_string(*memory_mib);
  // Names are kept by the graph itself.
  if (freeze == "none") header.settings[repro::kFreezeSetting] = *freeze;
}

void QueryOptions::Apply(repro::Header& header) const {
  if (backend) header.backend = *backend;
  if (!faults.empty()) header.faults = faults;
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
  fmt::print(stderr, "note: {} frozen as {}{}{}; to choose others, use --freeze NAMES\n",
             base::Counted(names.size(), "input"), names.size() == 1 ? "a parameter" : "parameters",
             names.empty() ? "" : ": ", base::FirstOf(names));
  return base::Done{};
}

base::Status NoteIdleFaults(const repro::Repro& repro) {
  if (repro.header.faults.empty()) return base::Done{};
  const backend::Spec spec = CULPRIT_TRY(backend::ParseSpec(repro.header.backend));
  const backend::Description description = CULPRIT_TRY(backends::Describe(spec.name));
  const bool is_below = CULPRIT_TRY(backends::IsBelowAutograd(description, spec));
  for (const std::string& text : repro.header.faults) {
    const faults::Fault fault = CULPRIT_TRY(faults::ParseFault(text));
    if (!fault.where.GuiltyNodes(repro.graph).empty()) continue;
    fmt::print(stderr, "note: the graph has nothing that the fault '{}' is for{}\n", text,
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
