// SPDX-License-Identifier: Apache-2.0
#include "cli/options/judge_options.h"

#include "cli/options/checked_option.h"

namespace culprit::cli {
namespace {

struct Flag {
  const char* name;
  repro::Accuracy accuracy;
  const char* description;
};

constexpr Flag kFlags[] = {
    {"--accuracy", repro::Accuracy::kOn,
     "Judge outputs, gradients and written inputs against a run in float64; differences of integers and "
     "bools do not count"},
    {"--strict-accuracy", repro::Accuracy::kStrict, "The same, and every difference counts"},
    {"--no-accuracy", repro::Accuracy::kOff, "Only run it, whatever the file says"},
};

}  // namespace

std::vector<CLI::Option*> DeclareJudge(CLI::App& app, open::JudgeRequest& judge) {
  std::vector<CLI::Option*> modes;
  for (const Flag& flag : kFlags) {
    modes.push_back(app.add_flag_callback(
        flag.name, [&judge, chosen = flag.accuracy] { judge.accuracy = chosen; }, flag.description));
  }
  const auto set_tolerance = [&judge](double wanted) {
    if (!(wanted >= 0)) throw CLI::ValidationError("--tolerance must not be negative");
    judge.tolerance = wanted;
  };
  app.add_option_function<double>(
         "--tolerance", set_tolerance,
         "How far numbers may be off, as a fraction; without it what the file says, or 1e-4, or 4 units in "
         "the last place where the graph computes in a shorter dtype: 0.0039 for float16, 0.031 for bfloat16")
      ->type_name("T");
  app.add_flag("--only-forward", judge.only_forward, "Judge no gradients, also where an output requires one");
  app.add_flag_callback(
      "--autocast", [&judge] { judge.autocast = true; },
      "Run it under autocast to bfloat16, whatever the file says");
  AddInteger(
      app, "--calls", [&judge](uint64_t number) { judge.calls = number; }, 1, 1000,
      "Judge so many calls in a row, each with fresh inputs and the same random numbers; without it as many "
      "as the file says, or one; a compiler that needs more to get going gets more");
  AddInteger(
      app, "--seed", [&judge](uint64_t number) { judge.seed = number; }, 0, UINT64_MAX,
      "Seed of the inputs that are made up and of random operators; the same seed gives the same numbers; "
      "without it that of the file, or 0");
  return modes;
}

void Exclude(const std::vector<CLI::Option*>& options) {
  for (CLI::Option* one : options) {
    for (CLI::Option* other : options) {
      if (one != other) one->excludes(other);
    }
  }
}

}  // namespace culprit::cli
