// SPDX-License-Identifier: Apache-2.0
//
// culprit run FILE: run a graph eagerly on random inputs, and show what comes out.
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/open_script.h"
#include "cli/output_table.h"
#include "graph/interpreter.h"
#include "graph/make_inputs.h"
#include "graph/map_devices.h"
#include "graph/torch_error.h"
#include "process/environment.h"

namespace culprit::cli {
namespace {

struct Options {
  ScriptOptions script;
  uint64_t seed = 0;
  bool json = false;
};

using Values = base::Result<std::vector<c10::IValue>>;

Values MakeInputs(const graph::text::Script& script, const Options& options) {
  const base::Place place{options.script.file};
  if (!script.inputs && !script.graph.placeholders().empty()) {
    base::Diagnostic error{place, "the file does not say what its inputs look like"};
    error.help = "add a function load_args(reader), as in examples/01_first_graph/net.py";
    return error;
  }
  if (const auto device = graph::NonCpuDevice(script.graph)) {
    base::Diagnostic error{place,
                           fmt::format("the graph computes on {}, which this machine lacks", device->str())};
    error.help = "to run on the CPU instead, add: --device cpu";
    return error;
  }
  Values inputs = graph::MakeRandomInputs(script.inputs.value_or(graph::InputSpecs{}), options.seed);
  if (inputs.ok()) return inputs;
  base::Diagnostic error = inputs.error();
  error.place = place;
  return error;
}

Values Execute(const graph::text::Script& script, std::vector<c10::IValue> inputs, const Options& options) {
  at::manual_seed(options.seed);
  const at::NoGradGuard no_grad;
  try {
    return graph::Interpreter(script.graph).Run(std::move(inputs));
  } catch (const std::exception& error) {
    return base::Diagnostic{{options.script.file},
                            fmt::format("the graph fails in eager mode: {}", graph::TorchMessage(error))};
  }
}

int Run(const Options& options) {
  const base::Result<graph::text::Script> script = OpenScript(options.script);
  if (!script.ok()) return Fail(script.error());
  if (const auto warning = process::SlowBlasWarning(process::DescribeEnvironment())) {
    fmt::print(stderr, "{}\n", warning->Render("warning"));
  }
  const Values inputs = MakeInputs(*script, options);
  if (!inputs.ok()) return Fail(inputs.error());
  const Values outputs = Execute(*script, *inputs, options);
  if (!outputs.ok()) return Fail(outputs.error(), kFailure);
  if (options.json) {
    fmt::print("{}\n", OutputsAsJson(script->graph, *outputs).dump(2));
  } else {
    fmt::print("{}", OutputsAsTable(script->graph, *outputs));
  }
  return kSuccess;
}

}  // namespace

std::function<int()> DeclareRun(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->script.Declare(app);
  app.add_option("--seed", options->seed, "Seed of the inputs and of random operators")
      ->type_name("N")
      ->capture_default_str();
  app.add_flag("--json", options->json, "Machine-readable output");
  return [options] { return Run(*options); };
}

}  // namespace culprit::cli
