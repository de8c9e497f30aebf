// SPDX-License-Identifier: Apache-2.0
//
// culprit convert FILE --to cpp|python: a graph with its inputs as a folder that runs by itself.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/shell_word.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options/file_options.h"
#include "cli/options/piped_input.h"
#include "cli/show/print.h"
#include "report/wrap.h"
#include "tasks/children.h"

namespace culprit::cli {
namespace {

struct Options {
  open::FileRequest file;
  std::string language;
  std::string output;
  bool no_data = false;
  bool stable_output = false;
};

std::string FolderOf(const Options& options) {
  if (!options.output.empty()) return options.output;
  return fmt::format(
      "{}_{}", std::filesystem::path(options.file.file == "-" ? "stdin" : options.file.file).stem().string(),
      options.language);
}

void PrintRandom(const std::vector<std::string>& random) {
  if (random.empty()) return;
  PrintOut("{}", report::Wrapped(fmt::format("The data of these was not kept; they hold random numbers: {}\n",
                                             base::FirstOf(random))));
}

base::Result<tasks::Answered<tasks::ConvertAnswer>> Convert(const Options& options) {
  tasks::ConvertRequest request{options.file, options.language, FolderOf(options), options.no_data,
                                options.stable_output};
  CULPRIT_TRY(TakePiped(request.file));
  return tasks::AnswerOf(CULPRIT_TRY(tasks::Children::Start()).Convert(request));
}

void PrintCppProject(const std::string& folder, const std::vector<std::string>& random) {
  PrintOut("{}", report::Wrapped(fmt::format("Wrote {0}/main.cc and {0}/CMakeLists.txt\n", folder)));
  PrintRandom(random);
  PrintOut(
      "To run it:\n"
      "  cmake -S {0} -B {0}/build\n"
      "  cmake --build {0}/build\n"
      "  {0}/build/repro\n",
      base::ShellWord(folder));
}

void PrintScript(const std::string& folder, const std::vector<std::string>& random) {
  const std::string file = folder + "/repro.py";
  PrintOut("Wrote {}\n", file);
  PrintRandom(random);
  PrintOut("To run it, one of:\n  culprit run {0}\n  python3 {0}\n", base::ShellWord(file));
}

int Run(const Options& options) {
  const auto converted = Convert(options);
  if (!converted.ok()) return Fail(converted.error());
  if (!converted->answer.ok()) {
    PrintNotes(converted->notes);
    return Fail(converted->answer.error());
  }
  const auto print = options.language == "cpp" ? &PrintCppProject : &PrintScript;
  print(FolderOf(options), converted->answer->random);
  PrintNotes(converted->notes);
  return kSuccess;
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  DeclareFile(app, options->file);
  DeclareWhich(app, options->file);
  app.add_option("--to", options->language, "cpp: a C++ program that needs libtorch only; python: a repro")
      ->required()
      ->check(CLI::IsMember({"cpp", "python"}));
  app.add_option("--output", options->output, "The folder to write; it must not exist, or be empty")
      ->type_name("DIR");
  app.add_flag("--no-data", options->no_data,
               "Keep only the shapes of inputs and constants; all their numbers come from a seed");
  app.add_flag("--stable-output", options->stable_output,
               "Leave out everything that differs between machines");
  return [options] { return Run(*options); };
}

constexpr std::string_view kDescription =
    "Writes a graph and its inputs into a folder of their own.\n\n"
    "--to python writes repro.py, a script that culprit run and plain Python with PyTorch run. Tensors of up "
    "to 1,024 "
    "elements stand in the script with their exact values; larger ones are in the folder store beside it.\n\n"
    "--to cpp writes main.cc and CMakeLists.txt, a program that needs libtorch and nothing else. It prints a "
    "line for each "
    "output: dtype, sizes, a hash of all bytes, and the first values.";

constexpr Example kExamples[] = {
    {"culprit convert repro.py --to cpp", "A C++ program in the folder repro_cpp"},
    {"culprit convert repro.py --to python --no-data --output small",
     "A script to show around, without the data"},
};

}  // namespace

const Command kConvertCommand = {
    .name = "convert",
    .summary = "write a repro, for Python or as a C++ program",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit run --help, docs/text-form.md",
    .declare = Declare,
};

}  // namespace culprit::cli
