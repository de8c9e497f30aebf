// SPDX-License-Identifier: Apache-2.0
//
// culprit minify REPRO: the smallest program that fails in the same way.
#include <memory>

#include "cli/command.h"
#include "cli/hunt_file.h"
#include "cli/options/file_options.h"
#include "cli/options/hunt_options.h"

namespace culprit::cli {
namespace {

struct Options {
  hunt::HuntRequest hunt;
  bool json = false;
};

int Run(const Options& options) {
  const hunt::HuntRequest& request = options.hunt;
  if (request.resume.empty() == request.file.file.empty()) {
    base::Diagnostic error{{"culprit minify"},
                           request.resume.empty() ? "neither a file nor the folder of a run is named"
                                                  : "a file is named and the folder of a run too"};
    error.help = "run: culprit minify FILE, or: culprit minify --resume DIR";
    return Fail(error);
  }
  return HuntSupervised(request, options.json);
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  hunt::HuntRequest& request = options->hunt;
  request.purpose = hunt::Purpose::kMinify;
  DeclareHunt(app, request);
  DeclareWhich(app, request.file);
  app.get_option("FILE")->required(false);
  app.add_option(
         "--check", request.judge_program,
         "A program that answers instead of a compiler: it gets the path of a candidate and exits with 0 "
         "if that still fails")
      ->type_name("PROGRAM")
      ->excludes(app.get_option("--launcher"));
  CLI::Option* resume =
      app.add_option(
             "--resume", request.resume,
             "Go on in the folder of a run that was interrupted, without asking again what was answered")
          ->type_name("DIR");
  app.add_flag("--json", options->json, "Show the result as JSON");
  // They would change the question, whose answers are known already. (--backend and --check may name what the
  // run has, since files may not.)
  for (const char* name : {"--fault",     "--ignore",       "--freeze",          "--timeout",
                           "--cpu-limit", "--accuracy",     "--strict-accuracy", "--no-accuracy",
                           "--tolerance", "--only-forward", "--autocast",        "--calls",
                           "--seed",      "--match",        "--any-failure",     "--only",
                           "--skip",      "--out",          "--which",           "--device",
                           "--store"})
    resume->excludes(app.get_option(name));
  return [options] { return Run(*options); };
}

constexpr std::string_view kDescription =
    "Makes a program that fails under a compiler smaller, as long as it fails in the same way: first the "
    "operators, then inputs and outputs, then shapes, numbers, attributes and dtypes, so that the result can "
    "be "
    "pasted into an issue. The failure is the one that the file records, or else the first that shows; other "
    "failures on the way are kept as finds of their own. Each candidate runs in a process of its own. The "
    "result is called a repro only after it failed again in a fresh process.\n\n"
    "Everything is in the folder of the run, after every step: repro.py is the smallest program so far, "
    "summary.md a report for an issue tracker. Ctrl-C, or worse, loses nothing: --resume goes on.";

constexpr Example kExamples[] = {
    {"culprit minify repro.py", "The smallest program that fails as the file says"},
    {"culprit minify net.py --backend torchscript:stage=ofi --max-time 60",
     "As small as it gets in a minute"},
    {"culprit minify net.py --check ./still_fails.sh", "With a judge of one's own"},
    {"culprit minify --resume culprit_runs/latest", "Go on after an interruption"},
};

}  // namespace

const Command kMinifyCommand = {
    .name = "minify",
    .summary = "make a failing program as small as possible",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit hunt --help, culprit strategies --help",
    .meaning_of_success = "the smallest program was found, and verified in a fresh process",
    .meaning_of_failure = "it does not fail, or what was found could not be verified",
    .meaning_of_reference = kEagerFails,
    .meaning_of_interruption = kResultsAreOnDisk,
    .declare = Declare,
};

}  // namespace culprit::cli
