// SPDX-License-Identifier: Apache-2.0
//
// A private copy of what tools/setup works on, on a machine that seems to have all packages and no network.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {

/// What stands in an environment for PyTorch; whoever imports it has failed.
struct FakeTorch {
  std::string version;
  bool has_headers = true;
};

class SetupProject {
 public:
  SetupProject() {
    std::filesystem::create_directories(root() + "/tools");
    for (const char* file : {"Makefile", "packages.txt", "requirements.txt", "constraints.txt", "tools/setup",
                             "tools/find_torch.py"})
      std::filesystem::copy_file(file, root() + "/" + file);
    // Nothing else is on the path: what setup finds there does not depend on the machine.
    std::filesystem::create_directory(folder_ / "bin");
    for (const char* tool : {"awk", "bash", "cat", "comm", "df", "dirname", "env", "head", "id", "mkdir",
                             "mktemp", "realpath", "rm", "sed", "sort", "tail"})
      std::filesystem::create_symlink(std::string("/usr/bin/") + tool, folder_ / "bin/" + tool);
    AddProgram(
        "dpkg-query",
        "for each; do case \" $MISSING \" in *\" $each \"*) ;; *) echo \"installed $each\"; esac; done");
  }

  std::string root() const { return folder_ / "project"; }
  std::string venv() const { return root() + "/.venv"; }
  std::string operator/(const std::string& name) const { return folder_ / name; }

  /// A program that setup finds instead of the machine's.
  void AddProgram(const std::string& name, const std::string& script) const {
    const std::string path = folder_ / "bin/" + name;
    WriteWholeFile(path, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(path, std::filesystem::perms(0755));
  }

  ProgramRun Run(const EnvironmentChanges& changes = {}) const {
    return RunProgram({root() + "/tools/setup"}, Environment(changes));
  }
  ProgramRun Make(const std::string& variable) const {
    return RunProgram({"/usr/bin/make", "--no-print-directory", "-C", root(), variable, "setup"},
                      Environment({}));
  }
  /// What the build is told.
  std::string ChosenPython() const { return ReadWholeFile(root() + "/build/python"); }

 private:
  EnvironmentChanges Environment(EnvironmentChanges changes) const {
    for (const char* name : {"PYTHON", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "MAKEFLAGS"})
      changes.emplace(name, std::nullopt);
    changes.emplace("PATH", folder_ / "bin");
    changes.emplace("PIP_NO_INDEX", "1");
    changes.emplace("PIP_CONFIG_FILE", "/dev/null");
    return changes;
  }

  TemporaryFolder folder_;
};

/// The folder of an environment's packages.
inline std::string PackagesOf(const std::string& environment) {
  return environment + "/lib/python3.11/site-packages";
}

inline void AddPackage(const std::string& environment, const std::string& name, const std::string& version) {
  const std::string folder = PackagesOf(environment) + "/" + name + "-" + version + ".dist-info";
  std::filesystem::create_directories(folder);
  WriteWholeFile(folder + "/METADATA",
                 "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n");
}

inline void AddTorch(const std::string& environment, const FakeTorch& torch) {
  AddPackage(environment, "torch", torch.version);
  const std::string folder = PackagesOf(environment) + "/torch";
  std::filesystem::create_directories(folder + "/include/ATen/core");
  WriteWholeFile(folder + "/__init__.py", "open(__file__ + '.imported', 'w')\n");
  if (torch.has_headers) WriteWholeFile(folder + "/include/ATen/core/Tensor.h", "");
}

/// What python3 -m venv makes, without pip, which takes the longest.
inline void MakeEnvironment(const std::string& folder) {
  std::filesystem::create_directories(folder + "/bin");
  std::filesystem::create_directories(PackagesOf(folder));
  WriteWholeFile(folder + "/pyvenv.cfg",
                 "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11\n");
  std::filesystem::create_symlink("/usr/bin/python3.11", folder + "/bin/python");
}

/// A pip that has everything already and notes what it was asked for.
inline void AddPip(const std::string& environment) {
  const std::string folder = PackagesOf(environment) + "/pip";
  std::filesystem::create_directories(folder);
  WriteWholeFile(folder + "/__main__.py",
                 "import sys\n"
                 "if sys.argv[1] != '--version':\n"
                 "    print(*sys.argv[1:], file=open(sys.prefix + '/pip.log', 'a'))\n");
}

/// Every file below a folder with what is in it and when it was written.
inline std::map<std::string, std::pair<std::string, std::filesystem::file_time_type>> StateOf(
    const std::string& folder) {
  std::map<std::string, std::pair<std::string, std::filesystem::file_time_type>> state;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_symlink()) {
      state[entry.path()] = {std::filesystem::read_symlink(entry.path()), {}};
    } else {
      state[entry.path()] = {entry.is_directory() ? "" : ReadWholeFile(entry.path()),
                             entry.last_write_time()};
    }
  }
  return state;
}

}  // namespace culprit::tests
