// SPDX-License-Identifier: Apache-2.0
//
// culprit hunt FILE: does a compiler fail on it, and which operators are to blame?
#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "base/text.h"
#include "cli/command.h"
#include "cli/hunt_file.h"
#include "cli/options/call_options.h"
#include "cli/options/checked_option.h"
#include "cli/options/file_options.h"
#include "cli/options/hunt_options.h"
#include "hunt/target.h"

namespace culprit::cli {
namespace {

struct Options {
  hunt::HuntRequest hunt;
  bool json = false;
};

/// The graphs of a script have numbers only.
base::Status ChooseInScript(hunt::HuntRequest& request) {
  const std::string& which = request.graph;
  if (which.empty()) return base::Done{};
  size_t number = 0;
  const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), number);
  if (error == std::errc() && end == which.data() + which.size() && number > 0) {
    request.file.which = number;
    return base::Done{};
  }
  base::Diagnostic wrong{
      {request.file.shown_file()},
      fmt::format("is a script, whose graphs have numbers: there is no graph '{}'", base::Shortened(which))};
  wrong.help = "choose one with --which N, counted from 1; for a model, say how it is called: --inputs SPEC";
  return wrong;
}

int Run(const Options& options) {
  hunt::HuntRequest request = options.hunt;
  request.is_model = IsModel(request.file.file, request.call);
  if (request.is_model) {
    const bool names_compiler = request.compiler.backend || !request.compiler.faults.empty();
    return names_compiler ? HuntSupervised(request, options.json) : Fail(hunt::NoCompiler(request));
  }
  if (request.all) {
    base::Diagnostic wrong{{request.file.shown_file()},
                           "is a script, and --all is about the graphs of a model"};
    wrong.help = "leave it out; for a model, say how it is called: --inputs SPEC";
    return Fail(wrong);
  }
  if (const base::Status chosen = ChooseInScript(request); !chosen.ok()) return Fail(chosen.error());
  return HuntSupervised(request, options.json);
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  hunt::HuntRequest& request = options->hunt;
  DeclareHunt(app, request);
  DeclareWhichGraph(app, request.graph);
  AddInteger(
      app, "--samples", [&request](uint64_t samples) { request.samples = samples; }, 1, 10000,
      "Try so many sets of inputs, until one fails; all but the first are random");
  app.add_flag("--all", request.all,
               "For a model: hunt in every graph, with a run folder for each that fails, and show a table at "
               "the end; without it in the first that fails, and the others are only looked at");
  DeclareCall(app, request.call);
  DescribeScriptOrModel(app);
  app.add_flag("--json", options->json, "Show the result as JSON");
  return [options] { return Run(*options); };
}

constexpr std::string_view kDescription =
    "Compiles a program, runs it, compares it with eager, and if something is wrong makes it as small as "
    "possible, names the operators that are left, and verifies the result in a fresh process. All of it is "
    "kept in the folder of the run: repro.py, the steps on the way, other failures that were met, and "
    "summary.md, a report for an issue tracker.\n\n"
    "What it does when it has found something is what `culprit minify` does.\n\n"
    "A TorchScript model is captured into graphs first, as `culprit explain` shows them; each is checked in "
    "turn, and the first that fails is made smaller; the others are looked at all the same, and those that "
    "fail too are named. With --all each that fails is made smaller, and --which chooses one. With --train "
    "these are the forward and the backward "
    "graph that "
    "autograd makes of each, and then the captured graph with its gradients.";

constexpr Example kExamples[] = {
    {"culprit hunt net.py --backend torchscript:stage=ofi", "Does libtorch's own compiler fail on it?"},
    {"culprit hunt net.py --backend ./libmine.so --samples 20",
     "Does a plug-in, with one of 20 sets of inputs?"},
    {"culprit hunt net.py --fault tanh:accuracy", "How would a wrong tanh be found?"},
    {"culprit hunt net.pt --inputs f32[1,3,8,8] --backend torchscript:stage=ofi",
     "Does it fail on a TorchScript model?"},
    {"culprit hunt net.pt --inputs f32[1,3] --backend native --all --ignore nan",
     "In all of its graphs, without failures of one kind?"},
    {"culprit hunt net.pt --inputs f32[4,3,8,8] --train --backend torchscript",
     "Does it when the model is trained?"},
};

}  // namespace

const Command kHuntCommand = {
    .name = "hunt",
    .summary = "find a compiler's failure and make it as small as possible",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit minify --help, culprit backends --help",
    .meaning_of_success = "no failure",
    .meaning_of_failure = "a failure was found; it is in the folder of the run",
    .meaning_of_reference = kEagerFails,
    .meaning_of_interruption = kResultsAreOnDisk,
    .declare = Declare,
};

}  // namespace culprit::cli
