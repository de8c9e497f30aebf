// SPDX-License-Identifier: Apache-2.0
//
// culprit graph FILE: print a graph in normal form, or facts about it.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/command.h"
#include "cli/isolated_command.h"
#include "cli/open_script.h"
#include "cli/print.h"
#include "graph/analysis/statistics.h"
#include "graph/analysis/structural_hash.h"

namespace culprit::cli {
namespace {

struct Options {
  ScriptOptions script;
  bool stats = false;
  bool json = false;
  bool header = false;
};

void PrintStatistics(const graph::Graph& graph) {
  const graph::Statistics statistics = graph::ComputeStatistics(graph);
  PrintOut("operators     {} ({} different, longest chain {})\n", statistics.operators,
           statistics.calls_by_operator.size(), statistics.depth);
  PrintOut("builtins      {}\n", statistics.builtins);
  PrintOut("random        {}\n", statistics.random_operators);
  PrintOut("in place      {}\n", statistics.mutating_operators);
  PrintOut("placeholders  {}, {}, {}\n", base::Counted(statistics.inputs, "input"),
           base::Counted(statistics.parameters, "parameter"), base::Counted(statistics.buffers, "buffer"));
  PrintOut("constants     {} ({})\n", statistics.tensor_constants,
           base::HumanBytes(statistics.constant_bytes));
  PrintOut("outputs       {}\n", statistics.outputs);
  PrintOut("unused        {}\n", base::Counted(statistics.unused_values, "value"));
  PrintOut("hash          {}\n\n", graph::StructuralHash(graph).ToString());
  for (const auto& [name, calls] : statistics.calls_by_operator) PrintOut("{:6}  {}\n", calls, name);
}

void PrintJson(const graph::Graph& graph) {
  const graph::Statistics statistics = graph::ComputeStatistics(graph);
  const nlohmann::ordered_json json = {
      {"name", graph.name()},
      {"hash", graph::StructuralHash(graph).ToString()},
      {"operators", statistics.operators},
      {"builtins", statistics.builtins},
      {"random_operators", statistics.random_operators},
      {"mutating_operators", statistics.mutating_operators},
      {"depth", statistics.depth},
      {"inputs", statistics.inputs},
      {"parameters", statistics.parameters},
      {"buffers", statistics.buffers},
      {"tensor_constants", statistics.tensor_constants},
      {"constant_bytes", statistics.constant_bytes},
      {"outputs", statistics.outputs},
      {"unused_values", statistics.unused_values},
      {"calls_by_operator", statistics.calls_by_operator},
  };
  PrintOut("{}\n", json.dump(2));
}

int Run(const Options& options) {
  if (!InChild()) return RunInChild();
  const base::Result<repro::ReadRepro> read = OpenScript(options.script);
  if (!read.ok()) return Fail(read.error());
  if (options.header) {
    PrintOut("{}", repro::HeaderToJson(read->header));
  } else if (options.json) {
    PrintJson(read->script.graph);
  } else if (options.stats) {
    PrintStatistics(read->script.graph);
  } else {
    const base::Result<std::string> text = graph::text::PrintScript(read->script);
    if (!text.ok()) return Fail(text.error());
    PrintOut("{}", *text);
  }
  return kSuccess;
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->script.Declare(app);
  app.add_flag(
      "--stats", options->stats,
      "Show counts of operators, placeholders and constants and the structural hash instead of the graph");
  app.add_flag("--json", options->json, "Show the same as JSON");
  app.add_flag(
      "--header", options->header,
      "Show, as JSON, what the file says beside the graph: compiler, settings, the failure that it records");
  return [options] { return Run(*options); };
}

constexpr std::string_view kDescription =
    "Reads a graph and prints it in normal form: one operator call per line, each by its full name and "
    "overload "
    "with all arguments that differ from their defaults, every result named, nothing left of the imports, "
    "configuration and comments around it. Operators that only PyTorch's Python has, such as prims, are "
    "replaced by ones that libtorch has (docs/operators-2x.md). The normal form is a script again: Culprit "
    "reads it back to the same graph, bit for bit, and plain Python with PyTorch runs it.\n\n"
    "The structural hash is the same for graphs that differ only in names.";

constexpr Example kExamples[] = {
    {"culprit graph repro.py > normal.py", "The normal form of a repro script"},
    {"culprit graph repro.py --which 2 --stats", "What is in the second graph of a file?"},
    {"culprit graph - < repro.py", "Read standard input"},
};

}  // namespace

const Command kGraphCommand = {
    .name = "graph",
    .summary = "print a graph in normal form, or facts about it",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit run --help, docs/text-form.md, docs/operators-2x.md",
    .declare = Declare,
};

}  // namespace culprit::cli
