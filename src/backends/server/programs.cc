// SPDX-License-Identifier: Apache-2.0
#include "backends/server/programs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/text.h"

namespace culprit::backends::server {
namespace {

namespace fs = std::filesystem;

/// Nothing of the folder that this process happens to be in is imported (-P); the package comes last.
constexpr std::string_view kStart =
    "import sys, runpy; sys.path.append(sys.argv[1]); "
    "runpy.run_module(sys.argv[2], run_name='__main__', alter_sys=True)";

constexpr std::string_view kServeClass =
    "import sys; sys.path.append(sys.argv[1]); from importlib import import_module; "
    "from culprit.servers import serve; module, _, name = sys.argv[2].partition(':'); "
    "serve(getattr(import_module(module), name)())";

/// Beside the program where it is installed, else in the source.
fs::path Installed(const char* below_prefix, const char* built) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path().parent_path() / below_prefix;
  return fs::exists(installed, ignored) ? installed : fs::path(built);
}

/// Where a server finds what notes its crashes, and nothing that starts threads.
std::vector<std::string> Environment() {
  const fs::path notes = Installed("lib/culprit/libculprit_crash_notes.so", CULPRIT_CRASH_NOTES);
  return {fmt::format("CULPRIT_CRASH_NOTES={}", notes.string()), "PYTHONUNBUFFERED=1", "OMP_NUM_THREADS=1",
          "OPENBLAS_NUM_THREADS=1"};
}

bool IsProgram(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

fs::path PackageFolder() {
  return Installed("share/culprit/python", CULPRIT_PYTHON_PACKAGE);
}

/// A server that is written with the package finds it, behind what the user has named.
std::vector<std::string> EnvironmentWithPackage() {
  std::vector<std::string> environment = Environment();
  const char* path = std::getenv("PYTHONPATH");
  const std::string named = path == nullptr || *path == '\0' ? "" : fmt::format("{}:", path);
  environment.push_back(fmt::format("PYTHONPATH={}{}", named, PackageFolder().string()));
  return environment;
}

}  // namespace

PythonInterpreter InterpreterAround() {
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const char* folder = std::getenv(variable);
    if (folder == nullptr || *folder == '\0') continue;
    const fs::path python = fs::path(folder) / "bin" / "python";
    if (IsProgram(python)) return {python};
  }
  return {IsProgram(CULPRIT_PYTHON) ? CULPRIT_PYTHON : "python3"};
}

base::Result<PythonInterpreter> InterpreterFor(const backend::Spec& spec) {
  const auto chosen = std::ranges::find(spec.options, backend::kPythonOption, &backend::OptionSetting::name);
  if (chosen == spec.options.end()) return InterpreterAround();
  // As it is written: the links of a virtual environment say which one it is.
  const fs::path path = fs::absolute(chosen->value).lexically_normal();
  if (IsProgram(path)) return PythonInterpreter{path, /*is_chosen=*/true};
  base::Diagnostic error{{fmt::format("backend '{}'", spec.name)},
                         fmt::format("there is no interpreter at '{}'", base::Shortened(chosen->value))};
  error.help = "name the program itself, as in python=/opt/env/bin/python";
  return error;
}

ServerProgram ModuleProgram(const std::string& name, const std::string& module,
                            const PythonInterpreter& python) {
  return {.name = name,
          .command = {python.path, "-P", "-c", std::string(kStart), PackageFolder(), module},
          .environment = Environment(),
          .python = python};
}

ServerProgram ClassProgram(const std::string& name, const std::string& where,
                           const PythonInterpreter& python) {
  return {.name = name,
          .command = {python.path, "-P", "-c", std::string(kServeClass), PackageFolder(), where},
          .environment = Environment(),
          .python = python};
}

base::Result<ServerProgram> FileProgram(const std::string& file, const PythonInterpreter& python) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return base::Diagnostic{{file}, "there is no such file"};
  return ServerProgram{.name = file,
                       .command = {python.path, "-P", fs::absolute(file).lexically_normal()},
                       .environment = EnvironmentWithPackage(),
                       .python = python};
}

ServerProgram CommandProgram(const std::string& name, const std::string& command) {
  ServerProgram program{.name = name, .environment = EnvironmentWithPackage()};
  std::istringstream words(command);
  for (std::string word; words >> word;) program.command.push_back(word);
  return program;
}

}  // namespace culprit::backends::server
