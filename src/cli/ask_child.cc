// SPDX-License-Identifier: Apache-2.0
#include "cli/ask_child.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/compiled_run.h"
#include "cli/isolated_command.h"
#include "cli/print.h"

namespace culprit::cli {

std::vector<std::string> CommandLineAs(std::string_view command, std::initializer_list<LeftOut> left_out) {
  std::vector<std::string> words = {"culprit", std::string(command)};
  const std::vector<std::string> rest = Without(left_out, std::span(CommandLine()).subspan(2));
  std::ranges::remove_copy(rest, std::back_inserter(words), "--json");
  words.emplace_back("--json");
  return words;
}

base::Result<check::Finding> AskChild(const std::vector<std::string>& run_words,
                                      const isolate::Limits& limits, const backend::FailureKinds& ignored) {
  const ChildEnding ending = CULPRIT_TRY(EndingInChild(run_words, limits));
  if (const auto* death = std::get_if<isolate::Outcome>(&ending)) {
    check::Finding finding = check::SignEnding(*death, ignored);
    if (death->phase != check::kLoadPhase) return finding;
    base::Diagnostic error = DeathOfChild(*death);
    error.help = std::move(finding.help);
    return error;
  }
  const auto& prints = std::get<ChildPrints>(ending);
  base::Result<check::Finding> finding = FindingFromRunJson(prints.out);
  if (finding.ok() || prints.status == kSuccess || prints.status == kFailure) return finding;
  PrintErr("{}", prints.err);
  base::Diagnostic error{{"culprit"}, "there is nothing to ask"};
  error.cause = CauseOfStatus(prints.status);
  return error;
}

}  // namespace culprit::cli
