// SPDX-License-Identifier: Apache-2.0
//
// culprit convert FILE --to cpp|python: a graph with its inputs as a folder that runs by itself.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/shell_word.h"
#include "base/text.h"
#include "check/query/in_python.h"
#include "check/query/stamp.h"
#include "cli/command.h"
#include "cli/isolated_command.h"
#include "cli/open_script.h"
#include "cli/print.h"
#include "cli/wrap.h"
#include "repro/cpp/cpp_text.h"
#include "repro/write_repro.h"

namespace culprit::cli {
namespace {

struct Options {
  ScriptOptions script;
  std::string language;
  std::string output;
  bool no_data = false;
  bool stable_output = false;
};

std::string FolderOf(const Options& options) {
  if (!options.output.empty()) return options.output;
  return fmt::format(
      "{}_{}",
      std::filesystem::path(options.script.file == "-" ? "stdin" : options.script.file).stem().string(),
      options.language);
}

base::Status CheckIsFree(const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) return base::Done{};
  if (std::filesystem::is_directory(folder, error) && std::filesystem::is_empty(folder, error) && !error)
    return base::Done{};
  base::Diagnostic taken{{folder}, "exists already, and is not an empty folder"};
  taken.help = "to write to another folder, add: --output DIR";
  return taken;
}

void PrintRandom(const std::vector<std::string>& random) {
  if (random.empty()) return;
  PrintOut("{}", Wrapped(fmt::format("The data of these was not kept; they hold random numbers: {}\n",
                                     base::FirstOf(random))));
}

base::Status Convert(const Options& options) {
  const std::string folder = FolderOf(options);
  CULPRIT_TRY(CheckIsFree(folder));
  repro::Repro repro = CULPRIT_TRY(LoadInputs(CULPRIT_TRY(OpenScript(options.script)), options.script, {}));
  check::Stamp(repro.header);
  repro::WriteOptions write{
      .data = options.no_data ? repro::WriteOptions::Data::kNone : repro::WriteOptions::Data::kStore,
      .stable_output = options.stable_output};
  if (options.language == "cpp") {
    const repro::CppProject project = CULPRIT_TRY(repro::WriteCppProject(folder, repro, write));
    PrintOut("{}", Wrapped(fmt::format("Wrote {0}/main.cc and {0}/CMakeLists.txt\n", folder)));
    PrintRandom(project.random);
    PrintOut(
        "To run it:\n"
        "  cmake -S {0} -B {0}/build\n"
        "  cmake --build {0}/build\n"
        "  {0}/build/repro\n",
        base::ShellWord(folder));
    return base::Done{};
  }
  write.compiled_in_python = check::CompiledInPython(repro);
  const std::string file = folder + "/repro.py";
  const repro::WrittenRepro written = CULPRIT_TRY(repro::WriteRepro(file, repro, write));
  PrintOut("Wrote {}\n", file);
  PrintRandom(written.random);
  PrintOut("To run it, one of:\n  culprit run {0}\n  python3 {0}\n", base::ShellWord(file));
  return base::Done{};
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->script.Declare(app);
  app.add_option("--to", options->language, "cpp: a C++ program that needs libtorch only; python: a repro")
      ->required()
      ->check(CLI::IsMember({"cpp", "python"}));
  app.add_option("--output", options->output, "The folder to write; it must not exist, or be empty")
      ->type_name("DIR");
  app.add_flag("--no-data", options->no_data,
               "Keep only the shapes of inputs and constants; all their numbers come from a seed");
  app.add_flag("--stable-output", options->stable_output,
               "Leave out everything that differs between machines");
  return [options] {
    if (!InChild()) return RunInChild();
    const base::Status status = Convert(*options);
    return status.ok() ? static_cast<int>(kSuccess) : Fail(status.error());
  };
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
