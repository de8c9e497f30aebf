// SPDX-License-Identifier: Apache-2.0
//
// culprit run FILE: run a graph or a repro, show what comes out, and judge it: a compiler's results against
// eager, eager's against float64.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "check/query/announce_phases.h"
#include "check/run/graph_model.h"
#include "check/run/run_in_fp64.h"
#include "check/verdict/sign.h"
#include "cli/accuracy_run.h"
#include "cli/checked_option.h"
#include "cli/command.h"
#include "cli/failing_node.h"
#include "cli/isolated_command.h"
#include "cli/model_graphs.h"
#include "cli/open_script.h"
#include "cli/output_table.h"
#include "cli/print.h"
#include "cli/query_options.h"
#include "cli/run_compiler.h"
#include "cli/spawn_self.h"
#include "cli/supervise.h"
#include "cli/verdict_table.h"
#include "hunt/private_folder.h"
#include "isolate/query/task.h"

namespace culprit::cli {
namespace {

using Values = std::vector<c10::IValue>;

void Apply(const RunOptions& options, repro::Header& header) {
  // Whoever wants to see the distances does not want a verdict, even if the file asks for one.
  if (options.fp64) header.accuracy = repro::Accuracy::kOff;
  options.judge.Apply(header);
}

bool Judges(const repro::Header& header) {
  return header.accuracy.value_or(repro::Accuracy::kOff) != repro::Accuracy::kOff;
}

/// An option that would mean nothing here, and how it would mean something.
struct IdleOption {
  const char* name = nullptr;
  const char* why = "";
  const char* help = "";
};

IdleOption FirstIdle(const RunOptions& options, const repro::Header& header) {
  constexpr const char* kNoCompiler = "is about compilers, and none is named";
  constexpr const char* kNameOne = "add --backend B";
  if (!options.record.empty()) return {"--record", kNoCompiler, kNameOne};
  if (options.samples > 1) return {"--samples", kNoCompiler, kNameOne};
  if (options.query.freeze) return {"--freeze", kNoCompiler, kNameOne};
  if (Judges(header)) return {};
  constexpr const char* kNotJudged = "is about judging numbers, which nobody asked for";
  constexpr const char* kJudge = "add --accuracy or --strict-accuracy";
  if (options.judge.tolerance) return {"--tolerance", kNotJudged, kJudge};
  if (options.judge.calls) return {"--calls", kNotJudged, kJudge};
  if (options.judge.only_forward) return {"--only-forward", kNotJudged, kJudge};
  return {};
}

base::Status CheckIdle(const RunOptions& options, const repro::Header& header) {
  const IdleOption idle = FirstIdle(options, header);
  if (idle.name == nullptr) return base::Done{};
  base::Diagnostic error{{"culprit run"}, fmt::format("{} {}", idle.name, idle.why)};
  error.help = idle.help;
  return error;
}

Values OutputsOf(const std::vector<check::Results>& calls) {
  return calls.at(0).outputs.toTupleRef().elements().vec();
}

base::Result<Distances> DistancesFromFp64(const repro::Repro& repro, const Values& outputs,
                                          const check::RunOptions& run, const std::string& file) {
  const auto wide = check::RunInFp64(check::GraphModel(repro.graph), repro.inputs, run);
  if (wide.ok()) return DistancesBetween(outputs, OutputsOf(*wide));
  base::Diagnostic error{{file}, "cannot be run in float64: " + wide.error().message};
  error.help = "run it without --fp64";
  return error;
}

int ShowOutputs(const repro::Repro& repro, FailingNode& failing_node, const RunOptions& options) {
  const check::RunOptions run{.settings = repro.header.run, .only_forward = true};
  const check::GraphModel model(repro.graph, &failing_node);
  const auto announce = check::AnnouncePhases();
  announce(check::kEagerPhase);
  const check::Outcome outcome = check::RunModel(model, repro.inputs, run);
  if (!outcome.ok())
    return Fail(failing_node.Describe(*outcome.failure), CodeOfReference(outcome.failure->message));
  const Values outputs = OutputsOf(outcome.calls);
  Distances distances;
  if (options.fp64) {
    announce(check::kFp64Phase);
    base::Result<Distances> compared = DistancesFromFp64(repro, outputs, run, options.script.shown_file());
    if (!compared.ok()) return Fail(compared.error());
    distances = *std::move(compared);
  }
  if (options.json) {
    PrintOut("{}\n", OutputsAsJson(repro.graph, outputs, distances).dump(2));
  } else {
    PrintOut("{}", OutputsAsTable(repro.graph, outputs, distances));
  }
  return kSuccess;
}

int ShowVerdict(const repro::Repro& repro, FailingNode& failing_node, const RunOptions& options) {
  const Judgement judgement = JudgeAgainstFp64(repro, options.judge.tolerance, &failing_node);
  const check::CheckResult& check = judgement.check;
  if (check.status == check::CheckStatus::kReferenceFailed)
    return Fail(failing_node.Describe(check.failure.value()), CodeOfReference(check.failure->message));
  if (check.status == check::CheckStatus::kNoFp64)
    return Fail({{options.script.shown_file()}, check.message});
  if (options.json) {
    PrintOut("{}\n", VerdictAsJson(judgement).dump(2));
  } else {
    PrintOut("{}", VerdictAsTable(judgement));
  }
  return check.status == check::CheckStatus::kSame ? kSuccess : kFailure;
}

int RunEager(repro::ReadRepro read, const RunOptions& options) {
  std::vector<uint32_t> node_lines = read.script.node_lines;
  if (const base::Status status = CheckIdle(options, read.header); !status.ok()) return Fail(status.error());
  base::Result<repro::Repro> repro = LoadInputs(std::move(read), options.script, options.judge.seed);
  if (!repro.ok()) return Fail(repro.error());
  isolate::AnnouncePhase(check::kEagerPhase);
  FailingNode failing_node(repro->graph, options.script.shown_file(), std::move(node_lines));
  return Judges(repro->header) ? ShowVerdict(*repro, failing_node, options)
                               : ShowOutputs(*repro, failing_node, options);
}

int RunHere(const RunOptions& options) {
  isolate::AnnouncePhase(check::kLoadPhase);
  base::Result<repro::ReadRepro> read = OpenScript(options.script, options.query.trust);
  if (!read.ok()) return Fail(read.error());
  Apply(options, read->header);
  const base::Status applied = options.query.Apply(read->header, options.script.shown_file());
  if (!applied.ok()) return Fail(applied.error());
  const bool compiles = NamesCompiler(read->header) || options.query.backend;
  return compiles ? RunCompiler(*std::move(read), options) : RunEager(*std::move(read), options);
}

/// The same command for one of the graphs.
base::Result<int> RunGraph(const std::string& file, const RunOptions& options, nlohmann::ordered_json& all) {
  const std::string name = std::filesystem::path(file).stem().string();
  const SpawnedSelf run =
      CULPRIT_TRY(SpawnSelf(WithGraph(CommandLine(), options.script.file, file), nullptr));
  if (options.json) {
    const auto result = nlohmann::ordered_json::parse(run.out, nullptr, /*allow_exceptions=*/false);
    all.push_back(
        {{"graph", name}, {"exit_code", run.status}, {"result", result.is_discarded() ? nullptr : result}});
    PrintErr("{}", run.err);
    return run.status;
  }
  PrintOut("{}:\n", name);
  return Relay({run.status, run.out, run.err});
}

/// Of two graphs of a model. One that fails says more than one that eager cannot run.
int WorseOf(int a, int b) {
  constexpr int kFromBestToWorst[] = {kSuccess, kReference, kFailure, kUsage, kEnvironment, kInternal};
  const auto rank = [&](int code) { return std::ranges::find(kFromBestToWorst, code); };
  return rank(a) < rank(b) ? b : a;
}

int RunGraphs(const RunOptions& options, const std::string& folder) {
  ModelGraphs graphs;
  const int captured =
      CaptureGraphs(options.script, options.model, options.judge.seed,
                    {options.query.timeout_seconds, options.query.memory_mib}, folder, graphs);
  if (captured != kSuccess) return captured;
  int worst = graphs.is_cut_off ? kReference : kSuccess;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const std::string& file : graphs.files) {
    const base::Result<int> status = RunGraph(file, options, all);
    if (!status.ok()) return Fail(status.error());
    worst = WorseOf(worst, *status);
    if (OutputIsLost()) return worst;
  }
  if (options.json) PrintOut("{}\n", all.dump(2));
  return worst;
}

/// The folder is this process's, so that it goes whatever happens to the one that works.
int RunModel(const RunOptions& options) {
  const base::Result<hunt::PrivateFolder> folder = hunt::PrivateFolder::Make("", "culprit-run");
  if (!folder.ok()) return Fail(folder.error());
  return RunSupervised([&] { return RunGraphs(options, folder->path() + "/graphs"); }, Interruption::kKills);
}

int Run(const RunOptions& options) {
  if (InChild()) return RunHere(options);
  return IsModel(options.script.file, options.model) ? RunModel(options) : RunInChildren(options);
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  options->script.Declare(app);
  options->query.Declare(app);
  options->model.Declare(app);
  DescribeScriptOrModel(app);
  std::vector<CLI::Option*> modes = options->judge.Declare(app);
  modes.push_back(app.add_flag(
      "--fp64", options->fp64,
      "Run it a second time with everything cast to float64, on the same inputs, and show how far each "
      "output is from that"));
  Exclude(modes);
  AddInteger(
      app, "--samples", [options](uint64_t samples) { options->samples = samples; }, 1, 10000,
      "With a compiler: try so many sets of inputs, until one fails; all but the first are random");
  app.add_option("--record", options->record,
                 "With a compiler: write a failure to this file, as a repro for `culprit verify` and others")
      ->type_name("FILE");
  // Only for this program itself: the signature of a process that died.
  app.add_option("--record-as", options->record_as)->group("");
  app.add_option("--record-repeats", options->record_repeats)->group("");
  app.add_option("--sample", options->sample)->group("");
  app.add_flag("--load-only", options->load_only)->group("");
  AddInteger(
      app, "--times", [options](uint64_t times) { options->times = times; }, 1, 10000,
      "With a compiler: so many times, each in a process of its own, to learn how often a failure comes");
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
