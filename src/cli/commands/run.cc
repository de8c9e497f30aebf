// SPDX-License-Identifier: Apache-2.0
//
// culprit run FILE: run a graph or a repro eagerly, show what comes out, and judge it against float64.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "check/fp64_graph.h"
#include "check/thrown.h"
#include "cli/accuracy_run.h"
#include "cli/checked_option.h"
#include "cli/command.h"
#include "cli/eager_run.h"
#include "cli/open_script.h"
#include "cli/output_table.h"
#include "cli/verdict_table.h"
#include "process/environment.h"

namespace culprit::cli {
namespace {

using Values = std::vector<c10::IValue>;

struct Options {
  ScriptOptions script;
  /// What the file says, unless these say otherwise.
  std::optional<uint64_t> seed;
  std::optional<repro::Accuracy> accuracy;
  std::optional<double> tolerance;
  std::optional<uint64_t> calls;
  std::optional<repro::Autocast> autocast;
  bool only_forward = false;

  bool fp64 = false;
  bool json = false;
};

void Apply(const Options& options, repro::Header& header) {
  header.run.seed = options.seed.value_or(header.run.seed);
  if (options.seed) header.run.generator_state.clear();
  header.accuracy = options.accuracy.value_or(header.accuracy);
  header.compare.tolerance = options.tolerance.value_or(header.compare.tolerance);
  header.calls = static_cast<int>(options.calls.value_or(header.calls));
  if (options.autocast) header.run.autocast = options.autocast;
  header.only_forward = header.only_forward || options.only_forward;
}

base::Result<Distances> DistancesFromFp64(const repro::Repro& repro, const Values& outputs,
                                          const Options& options) {
  base::Result<Values> references = base::Diagnostic{};
  const auto thrown = check::MessageOfThrown(
      [&] { references = check::RunInFp64(repro.graph, repro.inputs, repro.header.run.seed); });
  if (!thrown && references.ok()) return DistancesBetween(outputs, *references);
  base::Diagnostic error{{options.script.shown_file()},
                         "cannot be run in float64: " + thrown.value_or(references.error().message)};
  error.help = "run it without --fp64";
  return error;
}

int ShowOutputs(const repro::Repro& repro, const Values& outputs, const Options& options) {
  Distances distances;
  if (options.fp64) {
    base::Result<Distances> compared = DistancesFromFp64(repro, outputs, options);
    if (!compared.ok()) return Fail(compared.error());
    distances = *std::move(compared);
  }
  if (options.json) {
    fmt::print("{}\n", OutputsAsJson(repro.graph, outputs, distances).dump(2));
  } else {
    fmt::print("{}", OutputsAsTable(repro.graph, outputs, distances));
  }
  return kSuccess;
}

int ShowVerdict(const repro::Repro& repro, const Options& options) {
  const base::Result<compare::Verdict> verdict = CompareWithFp64(repro);
  if (!verdict.ok()) return Fail({{options.script.shown_file()}, verdict.error().message});
  if (options.json) {
    fmt::print("{}\n", VerdictAsJson(*verdict).dump(2));
  } else {
    fmt::print("{}", VerdictAsTable(*verdict));
  }
  return verdict->passes() ? kSuccess : kFailure;
}

int Run(const Options& options) {
  base::Result<repro::ReadRepro> read = OpenScript(options.script);
  if (!read.ok()) return Fail(read.error());
  if (const auto warning = process::SlowBlasWarning(process::DescribeEnvironment())) {
    fmt::print(stderr, "{}\n", warning->Render("warning"));
  }
  const std::vector<uint32_t> node_lines = read->script.node_lines;
  base::Result<repro::Repro> repro = LoadInputs(*std::move(read), options.script, options.seed);
  if (!repro.ok()) return Fail(repro.error());
  Apply(options, repro->header);
  NoteWhatIsNotUsed(repro->header);
  const base::Result<Values> outputs = RunEagerly(*repro, options.script.shown_file(), node_lines);
  if (!outputs.ok()) return Fail(outputs.error(), kFailure);
  const bool judge = repro->header.accuracy != repro::Accuracy::kOff;
  return judge ? ShowVerdict(*repro, options) : ShowOutputs(*repro, *outputs, options);
}

void DeclareAccuracy(CLI::App& app, const std::shared_ptr<Options>& options) {
  struct Flag {
    const char* name;
    repro::Accuracy accuracy;
    const char* description;
  };
  constexpr Flag kFlags[] = {
      {"--accuracy", repro::Accuracy::kOn,
       "Judge outputs, gradients and written inputs against a run in float64; differences of integers and "
       "bools do not "
       "count"},
      {"--strict-accuracy", repro::Accuracy::kStrict, "The same, and every difference counts"},
      {"--no-accuracy", repro::Accuracy::kOff, "Only run it, whatever the file says"},
  };
  std::vector<CLI::Option*> declared;
  for (const Flag& flag : kFlags) {
    const repro::Accuracy accuracy = flag.accuracy;
    declared.push_back(app.add_flag_callback(
        flag.name, [options, accuracy] { options->accuracy = accuracy; }, flag.description));
  }
  for (CLI::Option* one : declared) {
    for (CLI::Option* other : declared) {
      if (one != other) one->excludes(other);
    }
  }
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->script.Declare(app);
  DeclareAccuracy(app, options);
  const auto set_tolerance = [options](double tolerance) {
    if (!(tolerance >= 0)) throw CLI::ValidationError("--tolerance must not be negative");
    options->tolerance = tolerance;
  };
  app.add_option_function<double>(
         "--tolerance", set_tolerance,
         "How far numbers may be off, as a fraction; without it what the file says, or 1e-4")
      ->type_name("T");
  app.add_flag("--only-forward", options->only_forward, "No gradients, also where an output requires one");
  app.add_flag_callback(
      "--autocast", [options] { options->autocast = repro::Autocast{}; },
      "Run it under autocast to bfloat16, whatever the file says");
  AddInteger(
      app, "--calls", [options](uint64_t calls) { options->calls = calls; }, 1, 1000,
      "Judge so many calls in a row; without it as many as the file says, or one");
  AddInteger(
      app, "--seed", [options](uint64_t seed) { options->seed = seed; }, 0, UINT64_MAX,
      "Seed of the inputs that are made up and of random operators; the same seed gives the same numbers; "
      "without it "
      "that of the file, or 0");
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
    "unless the operators they feed want something else: indices lie in range, variances and probabilities "
    "between 0 and 1. "
    "A note says which inputs are random. A graph that names another device than the CPU needs --device "
    "cpu.\n\n"
    "The columns of the table:\n\n"
    "  output           the name of the value, or the constant\n"
    "  dtype, sizes     of a tensor; the type of anything else\n"
    "  min, max, mean   of the finite elements, or of all if none is finite;\n"
    "                   of complex numbers the absolute values count\n"
    "  NaN, Inf         how many elements are NaN, and how many infinite\n"
    "  max abs          with --fp64: the largest difference to float64\n"
    "  max rel          with --fp64: the largest difference divided by the\n"
    "                   value in float64\n\n"
    "With --accuracy the table is a verdict instead: ok or OFF, the rule that decided, the largest "
    "difference absolute, "
    "relative and in units of the last place, the root of the mean square, how many elements are off, how "
    "many are NaN "
    "(in float64/here), and the smallest tolerance that would pass.";

constexpr Example kExamples[] = {
    {"culprit run repro.py --seed 1", "Run a graph on other inputs"},
    {"culprit run repro.py --device cpu --fp64", "How accurate is a graph that was written for a GPU?"},
    {"culprit run repro.py --json", "The outputs, for a program"},
    {"culprit run repro.py --accuracy --tolerance 1e-3", "Are the numbers good to three digits?"},
};

}  // namespace

const Command kRunCommand = {
    .name = "run",
    .summary = "run a graph or a repro and show or judge its outputs",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit graph --help, docs/text-form.md",
    .declare = Declare,
};

}  // namespace culprit::cli
