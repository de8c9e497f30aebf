// SPDX-License-Identifier: Apache-2.0
#include "tests/models/model_archives.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/internal_error.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {

nlohmann::json ModelArchives(const std::vector<std::string>& names) {
  std::vector<std::string> command = {
      CULPRIT_PYTHON, CULPRIT_SOURCE_FOLDER "/tests/fixtures/make_model_archives.py", CULPRIT_MODELS};
  if (!names.empty()) command.insert(command.end(), {"--only", fmt::format("{}", fmt::join(names, ","))});
  const ProgramRun run = RunProgram(command);
  CULPRIT_CHECK(run.exit_code == 0, "models cannot be made: {}{}", run.out, run.err);
  nlohmann::json all = nlohmann::json::parse(ReadWholeFile(CULPRIT_MODELS "/models.json"));
  if (names.empty()) return all;
  nlohmann::json chosen = nlohmann::json::array();
  for (const std::string& name : names) {
    const auto row =
        std::ranges::find_if(all, [&](const nlohmann::json& each) { return each["name"] == name; });
    CULPRIT_CHECK(row != all.end(), "{} was not made", name);
    chosen.push_back(*row);
  }
  return chosen;
}

nlohmann::json ModelArchives(bool all) {
  if (!all) return ModelArchives(std::vector<std::string>(std::begin(kModelSample), std::end(kModelSample)));
  nlohmann::json chosen = nlohmann::json::array();
  for (const nlohmann::json& row : ModelArchives(std::vector<std::string>())) {
    if (!row.contains("twin")) chosen.push_back(row);
  }
  return chosen;
}

std::string ArchiveOf(const nlohmann::json& row) {
  return CULPRIT_MODELS "/" + row["file"].get<std::string>();
}

}  // namespace culprit::tests
