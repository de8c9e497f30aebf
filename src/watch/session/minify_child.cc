// SPDX-License-Identifier: Apache-2.0
#include "watch/session/minify_child.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/settings.h"

extern char** environ;

namespace culprit::watch {
namespace {

/// A shell that ends at once: the command has no parent here, so the program never waits for it by accident.
constexpr const char* kStart = R"(command -v "$0" >/dev/null || exit 127; "$0" "$@" &)";
constexpr int kNotFound = 127;

/// The child is no watched program.
std::vector<char*> EnvironmentWithoutSettings() {
  std::vector<char*> kept;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("CULPRIT_")) kept.push_back(*variable);
  }
  kept.push_back(nullptr);
  return kept;
}

/// What a process gets that knows nothing of this one.
class CleanStart {
 public:
  explicit CleanStart(const std::string& log) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files_, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    posix_spawn_file_actions_adddup2(&files_, 1, 2);
    posix_spawn_file_actions_addclosefrom_np(&files_, 3);
    posix_spawnattr_init(&attributes_);
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~CleanStart() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  CleanStart(const CleanStart&) = delete;
  CleanStart& operator=(const CleanStart&) = delete;

  /// The exit code; the command is not found if the shell cannot be started.
  int Run(std::vector<std::string> words) const {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawn(&child, words[0].c_str(), &files_, &attributes_, arguments.data(),
                    EnvironmentWithoutSettings().data()) != 0)
      return kNotFound;
    int status = 0;
    while (waitpid(child, &status, 0) == -1) {
      // Somebody else in the program has waited for it.
      if (errno != EINTR) return 0;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : kNotFound;
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

/// `culprit` beside the library that this code is in: <prefix>/lib/libculprit.so, <prefix>/bin/culprit.
std::string InstalledProgram() {
  Dl_info library;
  if (dladdr(reinterpret_cast<const void*>(&MinifyInChild), &library) == 0) return "";
  for (auto folder = std::filesystem::path(library.dli_fname).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    std::filesystem::path program = folder.parent_path() / "bin" / "culprit";
    std::error_code ignored;
    if (std::filesystem::exists(program, ignored)) return program;
  }
  return "";
}

}  // namespace

void MinifyInChild(const std::string& program, const std::string& repro,
                   const std::function<void(const std::string&)>& warn) {
  const std::filesystem::path folder = std::filesystem::path(repro).parent_path();
  const CleanStart start(folder / "minify.log");
  const auto run = [&](const std::string& command) {
    return start.Run(
        {"/bin/sh", "-c", kStart, command, "minify", repro, "--trust", "--out", folder.parent_path()});
  };
  int status = run(program);
  if (status == kNotFound && program == base::Settings().program && !InstalledProgram().empty())
    status = run(InstalledProgram());
  if (status != 0)
    warn(fmt::format("'{}' cannot be started to make {} smaller; name the command with: CULPRIT_PROGRAM=PATH",
                     program, repro));
}

}  // namespace culprit::watch
