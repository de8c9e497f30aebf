// SPDX-License-Identifier: Apache-2.0
//
// culprit graph FILE: print a graph in normal form, or facts about it.
#include <memory>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/command.h"
#include "cli/options/file_options.h"
#include "cli/options/piped_input.h"
#include "cli/show/print.h"
#include "tasks/children.h"

namespace culprit::cli {
namespace {

struct Options {
  open::FileRequest file;
  bool stats = false;
  bool json = false;
  bool header = false;
};

void PrintStatistics(const tasks::ReadAnswer& read) {
  const graph::Statistics& statistics = read.statistics;
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
  PrintOut("hash          {}\n\n", read.hash);
  for (const auto& [name, calls] : statistics.calls_by_operator) PrintOut("{:6}  {}\n", calls, name);
}

void PrintJson(const tasks::ReadAnswer& read) {
  const graph::Statistics& statistics = read.statistics;
  const nlohmann::ordered_json json = {
      {"name", read.name},
      {"hash", read.hash},
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

tasks::ReadWhat WhatOf(const Options& options) {
  if (options.header) return tasks::ReadWhat::kHeader;
  return options.json || options.stats ? tasks::ReadWhat::kStatistics : tasks::ReadWhat::kText;
}

base::Result<tasks::Answered<tasks::ReadAnswer>> Read(const Options& options) {
  tasks::ReadRequest request{options.file, WhatOf(options)};
  CULPRIT_TRY(TakePiped(request.file));
  return tasks::AnswerOf(CULPRIT_TRY(tasks::Children::Start()).Read(request));
}

int Run(const Options& options) {
  const auto read = Read(options);
  if (!read.ok()) return Fail(read.error());
  if (!read->answer.ok()) {
    PrintNotes(read->notes);
    return Fail(read->answer.error());
  }
  switch (WhatOf(options)) {
    case tasks::ReadWhat::kHeader:
      PrintOut("{}", read->answer->header);
      break;
    case tasks::ReadWhat::kText:
      PrintOut("{}", read->answer->text);
      break;
    case tasks::ReadWhat::kStatistics:
      options.json ? PrintJson(*read->answer) : PrintStatistics(*read->answer);
      break;
  }
  PrintNotes(read->notes);
  return kSuccess;
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  DeclareFile(app, options->file);
  DeclareWhich(app, options->file);
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
