// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/run_program.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/internal_error.h"

namespace culprit::tests {
namespace {

/// A file in memory that one of the child's output streams goes to: unlike a pipe, it never fills up.
class Capture {
 public:
  Capture() : file_(memfd_create("capture", MFD_CLOEXEC)) {
    CULPRIT_CHECK(file_ >= 0, "cannot make a file in memory");
  }
  ~Capture() { close(file_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  int file() const { return file_; }
  std::string Contents() const {
    std::string text(static_cast<size_t>(lseek(file_, 0, SEEK_END)), '\0');
    const ssize_t count = pread(file_, text.data(), text.size(), 0);
    CULPRIT_CHECK(count == static_cast<ssize_t>(text.size()), "cannot read a file in memory");
    return text;
  }

 private:
  int file_;
};

std::vector<std::string> ChangedEnvironment(const EnvironmentChanges& changes) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) entries.push_back(text);
  }
  for (const auto& [name, value] : changes) {
    if (value) entries.push_back(name + "=" + *value);
  }
  return entries;
}

/// The form that spawning wants; valid as long as the strings are.
std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

ProgramRun RunProgram(const std::vector<std::string>& command, const EnvironmentChanges& changes) {
  const Capture out;
  const Capture err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
  posix_spawn_file_actions_adddup2(&actions, out.file(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.file(), STDERR_FILENO);
  std::vector<std::string> words = command;
  std::vector<std::string> environment = ChangedEnvironment(changes);
  pid_t child = 0;
  const int error = posix_spawn(&child, words[0].c_str(), &actions, nullptr, Pointers(words).data(),
                                Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  CULPRIT_CHECK(error == 0, "cannot start {}: error {}", words[0], error);
  int status = 0;
  CULPRIT_CHECK(waitpid(child, &status, 0) == child, "cannot wait for {}", words[0]);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, out.Contents(), err.Contents()};
}

}  // namespace culprit::tests
