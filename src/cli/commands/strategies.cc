// SPDX-License-Identifier: Apache-2.0
//
// culprit strategies: in which ways a program is made smaller.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/show/print.h"
#include "minify/strategies/table.h"
#include "report/term_list.h"

namespace culprit::cli {
namespace {

std::string_view WhenOf(minify::Use use) {
  switch (use) {
    case minify::Use::kOnce:
      return "once";
    case minify::Use::kOnceForNumbers:
      return "once, if numbers are wrong";
    case minify::Use::kAlways:
      break;
  }
  return "until nothing moves";
}

void ShowJson() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const minify::StrategyEntry& entry : minify::strategies::AllStrategies())
    list.push_back({{"name", entry.name}, {"description", entry.line}, {"when", WhenOf(entry.use)}});
  PrintOut("{}\n", list.dump(2));
}

void ShowText() {
  std::vector<report::Term> terms;
  for (const minify::StrategyEntry& entry : minify::strategies::AllStrategies()) {
    const std::string when = entry.use == minify::Use::kAlways ? "" : fmt::format(" ({})", WhenOf(entry.use));
    terms.push_back({std::string(entry.name), std::string(entry.line) + when});
  }
  PrintOut("{}", report::TermList(terms));
}

std::function<int()> Declare(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "Show the list as JSON");
  return [json] {
    if (*json) {
      ShowJson();
    } else {
      ShowText();
    }
    return kSuccess;
  };
}

constexpr std::string_view kDescription =
    "Lists the ways in which `minify` and `hunt` make a program smaller, in the order in which they are "
    "tried. "
    "--only and --skip choose among them by name.";

constexpr Example kExamples[] = {
    {"culprit strategies", "What is tried?"},
    {"culprit minify repro.py --skip shapes,values", "Leave shapes and numbers as they are"},
};

}  // namespace

const Command kStrategiesCommand = {
    .name = "strategies",
    .summary = "list the ways in which programs are made smaller",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit minify --help",
    .declare = Declare,
};

}  // namespace culprit::cli
