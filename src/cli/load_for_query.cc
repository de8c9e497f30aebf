// SPDX-License-Identifier: Apache-2.0
#include "cli/load_for_query.h"

#include "check/sign.h"
#include "isolate/task.h"

namespace culprit::cli {

base::Result<repro::Repro> LoadForQuery(const ScriptOptions& script, const QueryOptions& query) {
  isolate::AnnouncePhase(check::kLoadPhase);
  return LoadForQuery(CULPRIT_TRY(OpenScript(script)), script, query, std::nullopt);
}

base::Result<repro::Repro> LoadForQuery(repro::ReadRepro read, const ScriptOptions& script,
                                        const QueryOptions& query, std::optional<uint64_t> seed) {
  query.Apply(read.header);
  if (!read.header.accuracy) read.header.accuracy = repro::Accuracy::kStrict;
  repro::Repro repro = CULPRIT_TRY(LoadInputs(std::move(read), script, seed));
  CULPRIT_TRY(ChooseFrozen(repro, query.freeze));
  return repro;
}

}  // namespace culprit::cli
