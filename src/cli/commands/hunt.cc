// SPDX-License-Identifier: Apache-2.0
//
// culprit hunt FILE: does a compiler fail on it, and which operators are to blame?
#include <memory>

#include "cli/checked_option.h"
#include "cli/command.h"
#include "cli/minify_file.h"
#include "cli/model_graphs.h"

namespace culprit::cli {
namespace {

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<MinifyOptions>();
  options->Declare(app);
  AddInteger(
      app, "--samples", [options](uint64_t samples) { options->samples = samples; }, 1, 10000,
      "Try so many sets of inputs, until one fails; all but the first are random");
  options->model.Declare(app);
  DescribeScriptOrModel(app);
  return [options] {
    return IsModel(options->script.file, options->model) ? HuntModel(*options)
                                                         : MinifyFile(*options, Purpose::kHunt);
  };
}

constexpr std::string_view kDescription =
    "Compiles a program, runs it, compares it with eager, and if something is wrong makes it as small as "
    "possible, names the operators that are left, and verifies the result in a fresh process. All of it is "
    "kept in the folder of the run: repro.py, the steps on the way, other failures that were met, and "
    "summary.md, a report for an issue tracker.\n\n"
    "What it does when it has found something is what `culprit minify` does.\n\n"
    "A TorchScript model is captured into graphs first, as `culprit explain` shows them; each is checked in "
    "turn, and the first that fails is made smaller. With --train these are the forward and the backward "
    "graph that "
    "autograd makes of each, and then the captured graph with its gradients.";

constexpr Example kExamples[] = {
    {"culprit hunt net.py --backend torchscript:stage=ofi", "Does libtorch's own compiler fail on it?"},
    {"culprit hunt net.py --backend ./libmine.so --samples 20",
     "Does a plug-in, with one of 20 sets of inputs?"},
    {"culprit hunt net.py --fault tanh:accuracy", "How would a wrong tanh be found?"},
    {"culprit hunt net.pt --inputs f32[1,3,8,8] --backend torchscript:stage=ofi",
     "Does it fail on a TorchScript model?"},
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
