// SPDX-License-Identifier: Apache-2.0
#include "tests/models/model_archives.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/internal_error.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {

nlohmann::json ModelArchives(bool all) {
  std::vector<std::string> command = {
      CULPRIT_PYTHON, CULPRIT_SOURCE_FOLDER "/tests/fixtures/make_model_archives.py", CULPRIT_MODELS};
  if (!all) command.insert(command.end(), {"--only", fmt::format("{}", fmt::join(kModelSample, ","))});
  const ProgramRun run = RunProgram(command);
  CULPRIT_CHECK(run.exit_code == 0, "models cannot be made: {}{}", run.out, run.err);
  nlohmann::json chosen = nlohmann::json::array();
  for (const nlohmann::json& row : nlohmann::json::parse(ReadWholeFile(CULPRIT_MODELS "/models.json"))) {
    const bool in_sample =
        std::ranges::find(kModelSample, row["name"].get<std::string>()) != std::end(kModelSample);
    if (all || in_sample) chosen.push_back(row);
  }
  return chosen;
}

std::string ArchiveOf(const nlohmann::json& row) {
  return CULPRIT_MODELS "/" + row["file"].get<std::string>();
}

}  // namespace culprit::tests
