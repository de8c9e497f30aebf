// SPDX-License-Identifier: Apache-2.0
#include "watch/minify_child.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>
#include <vector>

extern char** environ;

namespace culprit::watch {
namespace {

/// The child is no watched program.
std::vector<char*> EnvironmentWithoutSettings() {
  std::vector<char*> kept;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("CULPRIT_")) kept.push_back(*variable);
  }
  kept.push_back(nullptr);
  return kept;
}

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void Open(int descriptor, const std::string& path, int flags) {
    posix_spawn_file_actions_addopen(&actions_, descriptor, path.c_str(), flags, 0644);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// `culprit` beside the library that this code is in: <prefix>/lib/libculprit.so, <prefix>/bin/culprit.
std::string InstalledProgram() {
  Dl_info library;
  if (dladdr(reinterpret_cast<const void*>(&MinifyInChild), &library) == 0) return "";
  for (auto folder = std::filesystem::path(library.dli_fname).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    const std::filesystem::path program = folder.parent_path() / "bin" / "culprit";
    std::error_code ignored;
    if (std::filesystem::exists(program, ignored)) return program;
  }
  return "";
}

/// An error number.
int Start(const std::string& program, const std::string& repro, const std::string& directory, pid_t& child) {
  const std::string log = std::filesystem::path(repro).parent_path() / "minify.log";
  std::vector<std::string> words = {program, "minify", repro, "--out", directory};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  FileActions actions;
  actions.Open(0, "/dev/null", O_RDONLY);
  actions.Open(1, log, O_WRONLY | O_CREAT | O_APPEND);
  actions.Open(2, log, O_WRONLY | O_CREAT | O_APPEND);
  return posix_spawnp(&child, program.c_str(), actions.get(), nullptr, arguments.data(),
                      EnvironmentWithoutSettings().data());
}

}  // namespace

void MinifyInChild(const base::Settings& settings, const std::string& repro,
                   const std::function<void(const std::string&)>& warn) {
  const std::string runs = std::filesystem::path(repro).parent_path().parent_path();
  pid_t child = 0;
  int error = Start(settings.program, repro, runs, child);
  if (error == ENOENT && settings.program == base::Settings().program && !InstalledProgram().empty())
    error = Start(InstalledProgram(), repro, runs, child);
  if (error != 0) {
    warn(
        fmt::format("'{}' cannot be started to make {} smaller: {}; name the command with: "
                    "CULPRIT_PROGRAM=PATH",
                    settings.program, repro, std::strerror(error)));
    return;
  }
  // Nobody else may wait for it, and a child that nobody waits for stays in the table of processes.
  std::thread([child] {
    int status = 0;
    while (waitpid(child, &status, 0) == -1 && errno == EINTR) continue;
  }).detach();
}

}  // namespace culprit::watch
