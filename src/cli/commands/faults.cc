// SPDX-License-Identifier: Apache-2.0
//
// culprit faults: the catalogue of injected faults.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/command.h"
#include "cli/show/print.h"
#include "faults/fault.h"
#include "report/term_list.h"

namespace culprit::cli {
namespace {

std::string NameAndArgument(const faults::FaultKind& kind) {
  return kind.argument.empty() ? std::string(kind.name) : fmt::format("{}:{}", kind.name, kind.argument);
}

std::string KindsAsText() {
  std::vector<report::Term> terms;
  for (const faults::FaultKind& kind : faults::AllFaultKinds())
    terms.push_back({NameAndArgument(kind), std::string(kind.line)});
  return report::TermList(terms);
}

std::string KindsAsJson() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const faults::FaultKind& kind : faults::AllFaultKinds()) {
    nlohmann::ordered_json entry = {{"name", kind.name}, {"line", kind.line}, {"calls", kind.calls}};
    if (!kind.argument.empty()) entry["argument"] = kind.argument;
    if (!kind.pass.empty()) entry["pass"] = kind.pass;
    list.push_back(std::move(entry));
  }
  return list.dump(2) + "\n";
}

std::function<int()> Declare(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "Show the list as JSON");
  return [json] {
    PrintOut("{}", *json ? KindsAsJson() : KindsAsText());
    return kSuccess;
  };
}

constexpr std::string_view kDescription =
    "Lists the faults that can be put into a backend, to see how a failure of this kind looks and whether "
    "it is found. Those that are for native only are in the pass that is named; the others are for any "
    "backend.\n\n"
    "A fault is written as WHERE:KIND or WHERE:KIND:ARGUMENT. WHERE says for which graphs it is:\n\n"
    "  tanh               those that call this operator; aten::tanh and\n"
    "                     aten::add.Tensor say which one exactly\n"
    "  convolution>relu   those in which the second uses what the first gives\n"
    "  sin&tanh           those that call both, anywhere\n\n"
    "In all other graphs it does nothing. Wrong numbers are in those outputs only that depend on the "
    "operator, "
    "of two on the second.";

constexpr Example kExamples[] = {
    {"culprit faults", "All kinds"},
    {"culprit faults --json", "The same for a program"},
};

}  // namespace

const Command kFaultsCommand = {
    .name = "faults",
    .summary = "list the faults that can be injected into a backend",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit run --help",
    .declare = Declare,
};

}  // namespace culprit::cli
