// SPDX-License-Identifier: Apache-2.0
//
// culprit run FILE: run a graph eagerly on random inputs, and show what comes out.
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "check/fp64_graph.h"
#include "cli/command.h"
#include "cli/open_script.h"
#include "cli/output_table.h"
#include "graph/interpreter.h"
#include "graph/make_inputs.h"
#include "graph/map_devices.h"
#include "graph/tensor_copy.h"
#include "graph/torch_error.h"
#include "process/environment.h"

namespace culprit::cli {
namespace {

using Values = std::vector<c10::IValue>;

struct Options {
  ScriptOptions script;
  uint64_t seed = 0;
  bool fp64 = false;
  bool json = false;
};

base::Result<Values> MakeInputs(const graph::text::Script& script, const Options& options) {
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
  base::Result<graph::MadeInputs> inputs =
      graph::MakeInputs(script.inputs.value_or(graph::InputSpecs{}), {.seed = options.seed});
  if (inputs.ok()) return std::move(inputs->values);
  base::Diagnostic error = inputs.error();
  error.place = place;
  return error;
}

/// The inputs are copied: a graph may write into them, and they may be needed again.
Values RunEagerly(const graph::Graph& graph, const Values& inputs, uint64_t seed) {
  at::manual_seed(seed);
  const at::NoGradGuard no_grad;
  return graph::Interpreter(graph).Run(graph::CopyAll(inputs));
}

base::Result<Distances> CompareWithFp64(const graph::Graph& graph, const Values& inputs,
                                        const Values& outputs, const Options& options) {
  base::Result<Values> references = check::RunInFp64(graph, inputs, options.seed);
  if (references.ok()) return DistancesBetween(outputs, *references);
  base::Diagnostic error = std::move(references).error();
  error.place.file = options.script.file;
  error.message = "cannot be run in float64: " + error.message;
  error.help = "run it without --fp64";
  return error;
}

int Execute(const graph::text::Script& script, const Options& options) {
  const base::Result<Values> inputs = MakeInputs(script, options);
  if (!inputs.ok()) return Fail(inputs.error());
  const Values outputs = RunEagerly(script.graph, *inputs, options.seed);
  Distances distances;
  if (options.fp64) {
    base::Result<Distances> compared = CompareWithFp64(script.graph, *inputs, outputs, options);
    if (!compared.ok()) return Fail(compared.error());
    distances = *std::move(compared);
  }
  if (options.json) {
    fmt::print("{}\n", OutputsAsJson(script.graph, outputs, distances).dump(2));
  } else {
    fmt::print("{}", OutputsAsTable(script.graph, outputs, distances));
  }
  return kSuccess;
}

int Run(const Options& options) {
  const base::Result<graph::text::Script> script = OpenScript(options.script);
  if (!script.ok()) return Fail(script.error());
  if (const auto warning = process::SlowBlasWarning(process::DescribeEnvironment())) {
    fmt::print(stderr, "{}\n", warning->Render("warning"));
  }
  try {
    return Execute(*script, options);
  } catch (const std::exception& error) {
    const std::string message = fmt::format("the graph fails in eager mode: {}", graph::TorchMessage(error));
    return Fail({{options.script.file}, message}, kFailure);
  }
}

}  // namespace

std::function<int()> DeclareRun(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->script.Declare(app);
  app.add_option("--seed", options->seed, "Seed of the inputs and of random operators")
      ->type_name("N")
      ->capture_default_str();
  app.add_flag("--fp64", options->fp64, "Run it in float64 too, and show how far each output is from that");
  app.add_flag("--json", options->json, "Machine-readable output");
  return [options] { return Run(*options); };
}

}  // namespace culprit::cli
