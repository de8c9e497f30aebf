// SPDX-License-Identifier: Apache-2.0
//
// culprit explain MODEL: into which graphs does a model fall, and why?
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/capture_model.h"
#include "cli/checked_option.h"
#include "cli/command.h"
#include "cli/explanation.h"
#include "cli/isolated_command.h"
#include "cli/model_graphs.h"
#include "cli/print.h"
#include "process/shared_library.h"

namespace culprit::cli {
namespace {

struct Options {
  CaptureRequest request;
  ExplanationOptions shown;
  std::vector<std::string> libraries;
  bool json = false;
  bool breaks = false;
  bool joint = false;
  std::string partition;
  isolate::Limits limits = kReadingLimits;
};

int Explain(const Options& options) {
  for (const std::string& library : options.libraries) {
    const base::Result<void*> loaded = process::LoadSharedLibrary(library);
    if (!loaded.ok()) return Fail(loaded.error());
  }
  const base::Result<CapturedModel> model = CaptureModel(options.request);
  if (!model.ok()) return Fail(model.error());
  if (options.json) {
    PrintOut("{}\n", ExplanationAsJson(*model).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    PrintOut("{}", ExplanationAsText(*model, options.shown));
  }
  if (!model->failure) return kSuccess;
  const bool throws = model->failure->cause == base::Cause::kReference;
  return throws ? Fail(*model->failure) : Fail(*model->failure, kFailure);
}

/// The model may take its process with it; then how it did is what there is to tell.
int ExplainInChild(const Options& options) {
  const base::Result<ChildEnding> ending = EndingInChild(CommandLine(), options.limits);
  if (!ending.ok()) return Fail(ending.error());
  if (const auto* prints = std::get_if<ChildPrints>(&*ending)) return Relay(*prints);
  const auto& death = std::get<isolate::Outcome>(*ending);
  if (options.json) PrintOut("{}\n", DeathAsJson(options.request.file, death));
  return Fail(DeathWhileCapturing(options.request.file, death));
}

int Run(const Options& options) {
  if (options.breaks) {
    PrintOut("{}", BreaksAsMarkdown());
    return kSuccess;
  }
  if (options.request.file.empty())
    return Fail({{"culprit explain"},
                 "MODEL is required",
                 {},
                 {},
                 "name one, as in: culprit explain net.pt --inputs f32[1,3,224,224]"});
  return InChild() ? Explain(options) : ExplainInChild(options);
}

std::vector<std::string> PartitionNames() {
  std::vector<std::string> names;
  for (const autograd::PartitionMode& mode : autograd::kPartitionModes) names.emplace_back(mode.name);
  return names;
}

std::string PartitionHelp() {
  std::string help = "The same as --joint, split in this way:";
  for (const autograd::PartitionMode& mode : autograd::kPartitionModes)
    help += fmt::format("{} {} {}", help.back() == ':' ? "" : ",", mode.name, mode.summary);
  return help;
}

/// There are gradients in training only.
void ShowJoint(Options& options) {
  options.request.call.train = true;
  options.request.partition = options.partition.empty() ? &autograd::kPartitionModes[0]
                                                        : autograd::FindPartitionMode(options.partition);
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CaptureRequest& request = options->request;
  app.add_option("MODEL", request.file, "A TorchScript archive, or TorchScript source text (docs/models.md)");
  request.call.Declare(app);
  app.add_flag("--fullgraph", request.fullgraph, "Stop at the first break with an error");
  app.add_option("--graphs", request.graphs, "Write each graph with its inputs as a repro into this folder")
      ->type_name("DIR");
  app.add_flag(
      "--joint", options->joint,
      "Show what autograd makes of each graph in training: forward, backward, and what is saved between");
  app.add_option("--partition", options->partition, PartitionHelp())
      ->type_name("NAME")
      ->check(CLI::IsMember(PartitionNames()));
  app.add_flag("--guards", options->shown.guards, "Show all guards, those about the module too");
  app.add_flag("--log", request.log_instructions, "Show every instruction that capture walks over");
  AddInteger(
      app, "--seed", [options](uint64_t seed) { options->request.seed = seed; }, 0, UINT64_MAX,
      "For arguments that are random numbers");
  AddInteger(
      app, "--timeout",
      [options](uint64_t seconds) { options->limits.wall_time = std::chrono::seconds(seconds); }, 1, 1000000,
      "End it after so many seconds; without it after 600");
  AddInteger(
      app, "--memory-limit", [options](uint64_t mib) { options->limits.memory_bytes = mib << 20; }, 1,
      uint64_t{1} << 30, "End it when it uses so many MiB; without it 16384");
  app.add_option(
         "--load-library", options->libraries,
         "A shared library that registers operators with libtorch, loaded before the model; may be given "
         "several times")
      ->type_name("LIB")
      ->expected(1)
      ->take_all();
  app.add_flag("--allow-file-operators", request.allow_file_operators,
               "Also models that open files; without it they are refused");
  app.add_flag("--json", options->json, "Show the same as JSON");
  app.add_flag("--breaks", options->breaks, "Show all kinds of breaks with their explanation instead");
  return [options] {
    if (options->joint || !options->partition.empty()) ShowJoint(*options);
    return Run(*options);
  };
}

constexpr std::string_view kDescription =
    "Runs a TorchScript model once and shows the graphs that it was captured into: how many operators each "
    "has, what has to hold so that it is used again (guards), and where and why it ends (breaks), with the "
    "line of the model.\n\n"
    "The graphs run with libtorch's own kernels, so the model computes what it always computes.";

constexpr Example kExamples[] = {
    {"culprit explain net.pt --inputs f32[1,3,224,224]", "Into which graphs does it fall?"},
    {"culprit explain net.pt --inputs f32[1,3,224,224] --graphs graphs", "Keep each graph as a repro"},
    {"culprit explain net.pt --inputs 'f32[?8,3,224,224]'", "What depends on the size of the batch?"},
    {"culprit explain loss.py --method step --inputs i64[8]<10 --inputs None", "A function of a source text"},
    {"culprit explain net.pt --inputs f32[8,3,224,224] --joint",
     "What do forward and backward do, and what is saved between them?"},
    {"culprit explain --breaks", "What kinds of breaks are there?"},
};

}  // namespace

const Command kExplainCommand = {
    .name = "explain",
    .summary = "show the graphs, guards and breaks of a TorchScript model",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit hunt --help, docs/models.md, docs/training.md, docs/graph-breaks.md",
    .meaning_of_failure = "it is not the one graph that --fullgraph wants",
    .meaning_of_reference = "the program throws, or its process died while it ran",
    .declare = Declare,
};

}  // namespace culprit::cli
