// SPDX-License-Identifier: Apache-2.0
#include "tests/verdicts/hunting_program.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/seconds_since.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {

ProgramHunt HuntWithProgram(std::vector<std::string> words) {
  const TemporaryFolder folder;
  words.insert(words.begin(), {CULPRIT_PROGRAM, "hunt"});
  words.insert(words.end(), {"--json", "--out", folder / "runs"});
  const auto begin = std::chrono::steady_clock::now();
  const ProgramRun run = RunProgram(words);
  ProgramHunt hunt{.exit_code = run.exit_code, .log = run.err};
  hunt.seconds = base::SecondsSince(begin);
  const auto report = nlohmann::json::parse(run.out, nullptr, /*allow_exceptions=*/false);
  if (!report.is_object()) return hunt;
  hunt.signature = report.value("signature", "");
  hunt.verified = report.value("verified", false);
  for (const nlohmann::json& guilty : report.value("guilty", nlohmann::json::array())) {
    if (!hunt.guilty.empty()) hunt.guilty += ' ';
    hunt.guilty += guilty.at("operator").get<std::string>();
  }
  return hunt;
}

std::string ProgramHunt::ToString() const {
  const std::string answer =
      exit_code == 0 ? "passes"
      : exit_code != 1
          ? fmt::format("exit code {}", exit_code)
          : fmt::format("{}{}: {}", guilty, verified ? "" : " (not verified)", signature.substr(0, 60));
  return fmt::format("{:>6.1f} s  {}", seconds, answer);
}

}  // namespace culprit::tests
