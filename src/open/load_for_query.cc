// SPDX-License-Identifier: Apache-2.0
#include "open/load_for_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "backends/table.h"
#include "base/text.h"
#include "check/query/query.h"
#include "faults/fault.h"
#include "faults/idle.h"
#include "graph/passes/choose_parameters.h"

namespace culprit::open {
namespace {

/// The file names the backend and has the graph, unless the error knows better.
template <typename T>
base::Result<T> About(const FileRequest& file, base::Result<T> result) {
  if (result.ok() || !result.error().place.file.empty()) return result;
  base::Diagnostic error = result.error();
  error.place.file = file.shown_file();
  return error;
}

/// If the backend of the header freezes parameters: says which placeholders are parameters, in the graph and
/// in a note.
base::Status ChooseFrozen(repro::Repro& repro, const CompilerRequest& compiler, Notes& notes) {
  const std::unique_ptr<backend::Backend> backend = CULPRIT_TRY(check::OpenBackend(repro.header));
  if (backend->parameters() == backend::Parameters::kLifted) return base::Done{};
  const auto recorded = repro.header.settings.find(repro::kFreezeSetting);
  const std::string freeze =
      compiler.freeze.value_or(recorded == repro.header.settings.end() ? "auto" : recorded->second);
  graph::ChosenParameters chosen = CULPRIT_TRY(graph::ChooseParameters(repro.graph, freeze));
  std::vector<std::string> names;
  for (const size_t index : chosen.chosen)
    names.push_back(chosen.graph.value(chosen.graph.placeholders()[index].value).name);
  repro.graph = std::move(chosen.graph);
  if (names.empty()) return base::Done{};
  notes.push_back(fmt::format("note: {} frozen as {}: {}; to choose others, use --freeze NAMES",
                              base::Counted(names.size(), "input"),
                              names.size() == 1 ? "a parameter" : "parameters", base::FirstOf(names)));
  return base::Done{};
}

/// Notes in which environment the compiler runs, and eager with it, if that was chosen.
base::Status NotePlace(const repro::Header& header, Notes& notes) {
  const backend::Spec spec = CULPRIT_TRY(backend::ParseSpec(header.backend));
  if (std::ranges::count(spec.options, backend::kPythonOption, &backend::OptionSetting::name) == 0)
    return base::Done{};
  const std::string place = CULPRIT_TRY(backends::Describe(spec)).place;
  notes.push_back(fmt::format(
      "note: eager and the compiler are those of {}; gradients and float64 are Culprit's own", place));
  return base::Done{};
}

/// Notes which faults of the header are for no operator of the graph.
base::Status NoteIdleFaults(const repro::Repro& repro, Notes& notes) {
  if (repro.header.faults.empty()) return base::Done{};
  const backend::Spec spec = CULPRIT_TRY(backend::ParseSpec(repro.header.backend));
  const backend::Description description = CULPRIT_TRY(backends::Describe(spec));
  const bool is_below = CULPRIT_TRY(backends::IsBelowAutograd(description, spec));
  const std::vector<faults::Fault> faults = CULPRIT_TRY(faults::ParseFaults(repro.header.faults, is_below));
  for (const faults::Fault& fault : faults) {
    if (!fault.where.GuiltyNodes(repro.graph).empty()) continue;
    const std::string text = fault.ToString();
    base::Result<std::string> why = faults::WhyIdle(fault.where, repro.graph);
    if (!why.ok()) return base::Diagnostic{{fmt::format("fault '{}'", text)}, why.error().message};
    notes.push_back(fmt::format("note: the graph has nothing that the fault '{}' is for: {}{}", text, *why,
                                is_below ? "; below autograd, where the compiler gets it, it may" : ""));
  }
  return base::Done{};
}

}  // namespace

base::Result<repro::Repro> LoadForQuery(repro::ReadRepro read, const FileRequest& file,
                                        const CompilerRequest& compiler, std::optional<uint64_t> seed,
                                        Notes& notes) {
  CULPRIT_TRY(compiler.Apply(read.header, file.shown_file()));
  if (!read.header.accuracy) read.header.accuracy = repro::Accuracy::kStrict;
  repro::Repro repro = CULPRIT_TRY(LoadInputs(std::move(read), file, seed, notes));
  CULPRIT_TRY(About(file, ChooseFrozen(repro, compiler, notes)));
  CULPRIT_TRY(NoteIdleFaults(repro, notes));
  CULPRIT_TRY(NotePlace(repro.header, notes));
  return repro;
}

}  // namespace culprit::open
