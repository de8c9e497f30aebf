// SPDX-License-Identifier: Apache-2.0
//
// culprit run FILE: run a graph eagerly on random inputs, and show what comes out.
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "check/fp64_graph.h"
#include "cli/checked_option.h"
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

constexpr const char* kUseCpu = "to run on the CPU instead, add: --device cpu";

/// A buffer that the graph uses and the file gives no value.
std::optional<std::string> BufferWithoutData(const graph::text::Script& script) {
  std::vector<bool> used(script.graph.values().size());
  const auto note = [&](const std::vector<graph::Argument>& arguments) {
    for (const graph::Argument& argument : arguments)
      graph::ForEachValue(argument, [&](graph::ValueId id) { used[graph::Index(id)] = true; });
  };
  for (const graph::Node& node : script.graph.nodes()) note(node.arguments);
  note(script.graph.outputs());
  const auto& placeholders = script.graph.placeholders();
  for (size_t i = 0; i < placeholders.size(); ++i) {
    const bool absent = std::holds_alternative<graph::AbsentSpec>(script.inputs->inputs[i]);
    const graph::ValueId value = placeholders[i].value;
    if (absent && placeholders[i].kind == graph::PlaceholderKind::kBuffer && used[graph::Index(value)])
      return script.graph.value(value).name;
  }
  return std::nullopt;
}

/// Refuses what cannot be run, before anything is.
base::Status CheckRunnable(const graph::text::Script& script, const base::Place& place) {
  if (!script.inputs && !script.graph.placeholders().empty()) {
    base::Diagnostic error{place, "the file does not say what its inputs look like"};
    error.help = "add a function load_args(reader), as in examples/01_first_graph/net.py";
    return error;
  }
  if (const auto device = graph::NonCpuDevice(script.graph)) {
    base::Diagnostic error{place,
                           fmt::format("the graph computes on {}, which this machine lacks", device->str())};
    error.help = kUseCpu;
    return error;
  }
  if (!script.inputs) return base::Done{};
  if (const auto buffer = BufferWithoutData(script)) {
    base::Diagnostic error{place, fmt::format("buffer '{}' has no data", *buffer)};
    error.help =
        fmt::format("give it some in __init__: self.register_buffer('{}', torch.randn([2, 3]))", *buffer);
    return error;
  }
  return base::Done{};
}

base::Result<Values> MakeInputs(const graph::text::Script& script, const Options& options) {
  const base::Place place{options.script.shown_file()};
  CULPRIT_TRY(CheckRunnable(script, place));
  const graph::InputSpecs specs = script.inputs.value_or(graph::InputSpecs{});
  base::Result<graph::MadeInputs> inputs = graph::MakeInputs(specs, {.seed = options.seed});
  if (inputs.ok()) return std::move(inputs->values);
  base::Diagnostic error = inputs.error();
  error.place = place;
  if (graph::NonCpuDevice(specs)) error.help = kUseCpu;
  return error;
}

/// Knows which node is running.
class CurrentNode : public graph::Observer {
 public:
  void Before(graph::NodeId node, const torch::jit::Stack& /*arguments*/) override { node_ = node; }
  void After(graph::NodeId /*node*/, const torch::jit::Stack& /*results*/) override { node_.reset(); }
  const std::optional<graph::NodeId>& node() const { return node_; }

 private:
  std::optional<graph::NodeId> node_;
};

/// "view = torch.ops.aten.view.default", or the name of a builtin.
std::string Describe(const graph::Graph& graph, const graph::Node& node) {
  const std::string& name = node.op->name();
  const size_t colons = name.find("::");
  const std::string overload = node.op->overload().empty() ? "default" : node.op->overload();
  const std::string call = node.op->is_builtin() ? name.substr(colons + 2)
                                                 : fmt::format("torch.ops.{}.{}.{}", name.substr(0, colons),
                                                               name.substr(colons + 2), overload);
  return node.results.empty() ? call : fmt::format("{} = {}", graph.value(node.results[0]).name, call);
}

/// The inputs are copied: a graph may write into them, and they may be needed again.
base::Result<Values> RunEagerly(const graph::text::Script& script, const Values& inputs,
                                const Options& options) {
  at::manual_seed(options.seed);
  const at::NoGradGuard no_grad;
  CurrentNode current;
  try {
    return graph::Interpreter(script.graph).Run(graph::CopyAll(inputs), &current);
  } catch (const std::exception& error) {
    base::Place place{options.script.shown_file()};
    std::string where;
    if (current.node()) {
      place.line = script.node_lines[graph::Index(*current.node())];
      where = fmt::format(" at '{}'", Describe(script.graph, script.graph.node(*current.node())));
    }
    return base::Diagnostic{
        place, fmt::format("the graph fails in eager mode{}: {}", where, graph::TorchMessage(error))};
  }
}

base::Result<Values> RunWithMorePrecision(const graph::Graph& graph, const Values& inputs, uint64_t seed) {
  try {
    return check::RunInFp64(graph, inputs, seed);
  } catch (const std::exception& error) {
    return base::Diagnostic{{}, graph::TorchMessage(error)};
  }
}

base::Result<Distances> CompareWithFp64(const graph::Graph& graph, const Values& inputs,
                                        const Values& outputs, const Options& options) {
  base::Result<Values> references = RunWithMorePrecision(graph, inputs, options.seed);
  if (references.ok()) return DistancesBetween(outputs, *references);
  base::Diagnostic error = std::move(references).error();
  error.place.file = options.script.shown_file();
  error.message = "cannot be run in float64: " + error.message;
  error.help = "run it without --fp64";
  return error;
}

int Execute(const graph::text::Script& script, const Options& options) {
  const base::Result<Values> inputs = MakeInputs(script, options);
  if (!inputs.ok()) return Fail(inputs.error());
  const base::Result<Values> outputs = RunEagerly(script, *inputs, options);
  if (!outputs.ok()) return Fail(outputs.error(), kFailure);
  Distances distances;
  if (options.fp64) {
    base::Result<Distances> compared = CompareWithFp64(script.graph, *inputs, *outputs, options);
    if (!compared.ok()) return Fail(compared.error());
    distances = *std::move(compared);
  }
  if (options.json) {
    fmt::print("{}\n", OutputsAsJson(script.graph, *outputs, distances).dump(2));
  } else {
    fmt::print("{}", OutputsAsTable(script.graph, *outputs, distances));
  }
  return kSuccess;
}

int Run(const Options& options) {
  const base::Result<graph::text::Script> script = OpenScript(options.script);
  if (!script.ok()) return Fail(script.error());
  if (const auto warning = process::SlowBlasWarning(process::DescribeEnvironment())) {
    fmt::print(stderr, "{}\n", warning->Render("warning"));
  }
  return Execute(*script, options);
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->script.Declare(app);
  AddInteger(
      app, "--seed", [options](uint64_t seed) { options->seed = seed; }, 0, UINT64_MAX,
      "Seed of the inputs that are made up and of random operators; the same seed gives the same numbers")
      ->default_str("0");
  app.add_flag(
      "--fp64", options->fp64,
      "Run it a second time with everything cast to float64, on the same inputs, and show how far each "
      "output is from that");
  app.add_flag(
      "--json", options->json,
      "Show the table as JSON. Numbers that are not finite are the strings \"nan\", \"inf\" and \"-inf\"; "
      "a field that does not apply is left out");
  return [options] { return Run(*options); };
}

constexpr std::string_view kDescription =
    "Runs a graph with libtorch's own kernels, operator by operator, and shows a line for each output.\n\n"
    "Inputs hold what the script says about them. Where it says only what they look like, they are made up: "
    "floating-point and complex tensors hold standard normal numbers, bool ones coin flips, and integers "
    "zeros, "
    "which are valid indices everywhere. A graph that names another device than the CPU needs --device "
    "cpu.\n\n"
    "The columns of the table:\n\n"
    "  output           the name of the value, or the constant\n"
    "  dtype, sizes     of a tensor; the type of anything else\n"
    "  min, max, mean   of the finite elements, or of all if none is finite;\n"
    "                   of complex numbers the absolute values count\n"
    "  NaN, Inf         how many elements are NaN, and how many infinite\n"
    "  max abs          with --fp64: the largest difference to float64\n"
    "  max rel          with --fp64: the largest difference divided by the\n"
    "                   value in float64";

constexpr Example kExamples[] = {
    {"culprit run repro.py --seed 1", "Run a graph on other inputs"},
    {"culprit run repro.py --device cpu --fp64", "How accurate is a graph that was written for a GPU?"},
    {"culprit run repro.py --json", "The outputs, for a program"},
};

}  // namespace

const Command kRunCommand = {
    .name = "run",
    .summary = "run a graph eagerly and show its outputs",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit graph --help, docs/text-form.md",
    .declare = Declare,
};

}  // namespace culprit::cli
