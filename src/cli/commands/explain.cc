// SPDX-License-Identifier: Apache-2.0
//
// culprit explain MODEL: into which graphs does a model fall, and why?
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "autograd/partition/partition.h"
#include "base/printable_lines.h"
#include "cli/command.h"
#include "cli/options/call_options.h"
#include "cli/options/checked_option.h"
#include "cli/options/piped_input.h"
#include "cli/show/explanation.h"
#include "cli/show/print.h"
#include "report/finding_text.h"
#include "tasks/children.h"

namespace culprit::cli {
namespace {

struct Options {
  explain::CaptureRequest request;
  ExplanationOptions shown;
  bool json = false;
  bool breaks = false;
  bool joint = false;
  isolate::Limits limits = tasks::kReadingLimits;
};

std::string DeathAsJson(const std::string& file, const isolate::Outcome& death) {
  return report::Dumped(
      {{"model", explain::ModelName(file)},
       {"died", {{"phase", death.phase}, {"how", death.ToString()}, {"frames", tasks::FramesOf(death)}}}});
}

base::Result<tasks::TaskEnd<explain::Explanation>> Capture(const Options& options) {
  explain::CaptureRequest request = options.request;
  request.is_piped = IsPiped(request.file);
  // There are gradients in training only.
  if (options.joint && request.partition.empty()) request.partition = autograd::kPartitionModes[0].name;
  if (!request.partition.empty()) request.call.train = true;
  return CULPRIT_TRY(tasks::Children::Start()).Capture(request, options.limits);
}

int Show(const explain::Explanation& told, const open::Notes& notes, const Options& options) {
  PrintOut("{}",
           options.json ? report::Dumped(ExplanationAsJson(told)) : ExplanationAsText(told, options.shown));
  PrintNotes(notes);
  if (!told.failure) return kSuccess;
  const bool throws = told.failure->cause == base::Cause::kReference;
  return throws ? Fail(*told.failure) : Fail(*told.failure, kFailure);
}

/// The model may take its process with it; then how it did is what there is to tell.
int Explain(const Options& options) {
  const auto ending = Capture(options);
  if (!ending.ok()) return Fail(ending.error());
  if (const auto* death = std::get_if<isolate::Outcome>(&*ending)) {
    if (options.json) PrintOut("{}", DeathAsJson(options.request.file, *death));
    return Fail(tasks::DeathWhileCapturing(options.request.file, *death));
  }
  const auto& answered = std::get<tasks::Answered<explain::Explanation>>(*ending);
  if (!answered.answer.ok()) PrintNotes(answered.notes);
  const int status =
      answered.answer.ok() ? Show(*answered.answer, answered.notes, options) : Fail(answered.answer.error());
  if (!answered.output.empty())
    PrintErr("note: the model printed:\n{}", base::PrintableLines(answered.output));
  return status;
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
  return Explain(options);
}

std::vector<std::string> PartitionNames() {
  std::vector<std::string> names;
  names.reserve(std::size(autograd::kPartitionModes));
  for (const autograd::PartitionMode& mode : autograd::kPartitionModes) names.emplace_back(mode.name);
  return names;
}

std::string PartitionHelp() {
  std::string help = "The same as --joint, split in this way:";
  for (const autograd::PartitionMode& mode : autograd::kPartitionModes)
    help += fmt::format("{} {} {}", help.back() == ':' ? "" : ",", mode.name, mode.summary);
  return help;
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  explain::CaptureRequest& request = options->request;
  app.add_option("MODEL", request.file, "A TorchScript archive, or TorchScript source text (docs/models.md)");
  DeclareCall(app, request.call);
  app.add_flag("--fullgraph", request.fullgraph, "Stop at the first break with an error");
  app.add_option("--graphs", request.graphs, "Write each graph with its inputs as a repro into this folder")
      ->type_name("DIR");
  app.add_flag(
      "--joint", options->joint,
      "Show what autograd makes of each graph in training: forward, backward, and what is saved between");
  app.add_option("--partition", request.partition, PartitionHelp())
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
         "--load-library", request.libraries,
         "A shared library that registers operators with libtorch, loaded before the model; may be given "
         "several times")
      ->type_name("LIB")
      ->expected(1)
      ->take_all();
  app.add_flag("--allow-file-operators", request.allow_file_operators,
               "Also models that open files; without it they are refused");
  app.add_flag("--json", options->json, "Show the same as JSON");
  app.add_flag("--breaks", options->breaks, "Show all kinds of breaks with their explanation instead");
  return [options] { return Run(*options); };
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
