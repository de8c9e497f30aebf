// SPDX-License-Identifier: Apache-2.0
//
// culprit run FILE: run a graph or a repro, show what comes out, and judge it: a compiler's results against
// eager, eager's against float64.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/hunt_listener.h"
#include "cli/options/call_options.h"
#include "cli/options/checked_option.h"
#include "cli/options/compiler_options.h"
#include "cli/options/file_options.h"
#include "cli/options/judge_options.h"
#include "cli/options/piped_input.h"
#include "cli/run_file.h"
#include "cli/show/print.h"
#include "cli/supervise.h"
#include "files/private_folder.h"
#include "hunt/model_graphs.h"

namespace culprit::cli {
namespace {

struct Options {
  RunFileOptions run;
  explain::CallRequest call;
};

/// Of two graphs of a model. One that fails says more than one that eager cannot run.
int WorseOf(int a, int b) {
  constexpr int kFromBestToWorst[] = {kSuccess, kReference, kFailure, kUsage, kEnvironment, kInternal};
  const auto rank = [&](int code) { return std::ranges::find(kFromBestToWorst, code); };
  return rank(a) < rank(b) ? b : a;
}

base::Result<hunt::ModelGraphs> Capture(const tasks::Children& children, const Options& options,
                                        const std::string& scratch) {
  HuntListener listener(options.run.json);
  const tasks::LoadRequest& load = options.run.request.load;
  return hunt::CaptureGraphs({.file = load.file,
                              .compiler = load.compiler,
                              .judge = load.judge,
                              .call = options.call,
                              .scratch = scratch},
                             children, listener);
}

nlohmann::ordered_json AsJson(const std::string& name, const Shown& shown) {
  const auto result = nlohmann::ordered_json::parse(shown.out, nullptr, /*allow_exceptions=*/false);
  return {{"graph", name}, {"exit_code", shown.status}, {"result", result.is_discarded() ? nullptr : result}};
}

int RunGraphs(const Options& options, const std::string& scratch) {
  const base::Result<tasks::Children> children = tasks::Children::Start();
  if (!children.ok()) return Fail(children.error());
  const base::Result<hunt::ModelGraphs> graphs = Capture(*children, options, scratch);
  if (!graphs.ok()) return Fail(graphs.error());
  int worst = graphs->is_cut_off ? kReference : kSuccess;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const hunt::ModelGraph& graph : graphs->graphs) {
    RunFileOptions run = options.run;
    run.request.load.file.file = graph.file;
    const std::string name = std::filesystem::path(graph.file).stem().string();
    Shown shown = RunFile(*children, run);
    if (run.json) {
      all.push_back(AsJson(name, shown));
      shown.out.clear();
    } else {
      PrintOut("{}:\n", name);
    }
    worst = WorseOf(worst, Print(shown));
    if (OutputIsLost()) return worst;
  }
  if (options.run.json) PrintOut("{}\n", all.dump(2));
  return worst;
}

/// The folder is this process's, so that it goes whatever happens to the one that works.
int RunModel(const Options& options) {
  const base::Result<files::PrivateFolder> folder = files::PrivateFolder::Make("", "culprit-run");
  if (!folder.ok()) return Fail(folder.error());
  return RunSupervised([&] { return RunGraphs(options, folder->path()); }, WhenInterrupted::kKills);
}

int Run(Options options) {
  open::FileRequest& file = options.run.request.load.file;
  if (IsModel(file.file, options.call)) return RunModel(options);
  if (const base::Status piped = TakePiped(file); !piped.ok()) return Fail(piped.error());
  const base::Result<tasks::Children> children = tasks::Children::Start();
  if (!children.ok()) return Fail(children.error());
  return Print(RunFile(*children, options.run));
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  tasks::RunRequest& request = options->run.request;
  DeclareFile(app, request.load.file);
  DeclareWhich(app, request.load.file);
  DeclareCompiler(app, request.load.compiler);
  DeclareCall(app, options->call);
  DescribeScriptOrModel(app);
  std::vector<CLI::Option*> modes = DeclareJudge(app, request.load.judge);
  modes.push_back(app.add_flag(
      "--fp64", request.fp64,
      "Run it a second time with everything cast to float64, on the same inputs, and show how far each "
      "output is from that"));
  Exclude(modes);
  AddInteger(
      app, "--samples", [options](uint64_t samples) { options->run.samples = samples; }, 1, 10000,
      "With a compiler: try so many sets of inputs, until one fails; all but the first are random");
  app.add_option("--record", request.record,
                 "With a compiler: write a failure to this file, as a repro for `culprit verify` and others")
      ->type_name("FILE");
  AddInteger(
      app, "--times", [options](uint64_t times) { options->run.times = times; }, 1, 10000,
      "With a compiler: so many times, each in a process of its own, to learn how often a failure comes");
  app.add_flag(
      "--json", options->run.json,
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
    "With --accuracy the graph runs twice first, since what differs by itself cannot be judged, and then in "
    "float64. "
    "The table is a verdict instead: ok or OFF, the rule that decided, the largest difference to float64 "
    "absolute, "
    "relative and in units of the last place, the root of the mean square, how many elements are off, how "
    "many are NaN "
    "and infinite (in float64/here), the smallest tolerance that would pass, and the noise: how many times "
    "as "
    "large the error is as what moving the inputs by one unit in the last place does.\n\n"
    "With --backend, or --fault, or a file that names a compiler, the graph is compiled, called, and "
    "compared with eager, "
    "which float64 helps to judge; every difference counts unless --accuracy says otherwise. The last line "
    "says in a few "
    "words how it fails: phase, kind, message. Everything runs in a process of its own, so a compiler may "
    "crash, hang or "
    "exit.";

constexpr Example kExamples[] = {
    {"culprit run repro.py --backend torchscript:stage=ofi", "Does a compiler compute what eager computes?"},
    {"culprit run repro.py --fault tanh:segfault --record crash.py", "How does a crash look?"},
    {"culprit run repro.py --seed 1", "Run a graph on other inputs"},
    {"culprit run net.pt --inputs f32[1,3,8,8] --backend torchscript:stage=ofi",
     "Each graph of a TorchScript model"},
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
    .meaning_of_reference = kEagerFails,
    .declare = Declare,
};

}  // namespace culprit::cli
