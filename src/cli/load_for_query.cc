// SPDX-License-Identifier: Apache-2.0
#include "cli/load_for_query.h"

namespace culprit::cli {
namespace {

/// The file names the backend and has the graph, unless the error knows better.
template <typename T>
base::Result<T> About(const ScriptOptions& script, base::Result<T> result) {
  if (result.ok() || !result.error().place.file.empty()) return result;
  base::Diagnostic error = result.error();
  error.place.file = script.shown_file();
  return error;
}

}  // namespace

base::Result<repro::Repro> LoadForQuery(repro::ReadRepro read, const ScriptOptions& script,
                                        const QueryOptions& query, std::optional<uint64_t> seed) {
  CULPRIT_TRY(query.Apply(read.header, script.shown_file()));
  if (!read.header.accuracy) read.header.accuracy = repro::Accuracy::kStrict;
  repro::Repro repro = CULPRIT_TRY(LoadInputs(std::move(read), script, seed));
  CULPRIT_TRY(About(script, ChooseFrozen(repro, query)));
  CULPRIT_TRY(NoteIdleFaults(repro));
  return repro;
}

}  // namespace culprit::cli
