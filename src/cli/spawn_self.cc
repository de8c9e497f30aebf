// SPDX-License-Identifier: Apache-2.0
#include "cli/spawn_self.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace culprit::cli {
namespace {

base::Diagnostic Failed(const char* what, int error) {
  return {{"culprit"}, std::string(what) + ": " + std::strerror(error)};
}

/// What the new program writes to one of its streams, in memory without a name.
class StreamFile {
 public:
  StreamFile() : file_(memfd_create("culprit", MFD_CLOEXEC)) {}
  ~StreamFile() { close(file_); }
  StreamFile(const StreamFile&) = delete;
  StreamFile& operator=(const StreamFile&) = delete;

  int number() const { return file_; }

  std::string Read() const {
    std::string text;
    char buffer[4096];
    ssize_t got = 0;
    while ((got = pread(file_, buffer, sizeof(buffer), static_cast<off_t>(text.size()))) > 0)
      text.append(buffer, static_cast<size_t>(got));
    return text;
  }

 private:
  int file_;
};

}  // namespace

base::Result<SpawnedSelf> SpawnSelf(const std::vector<std::string>& words,
                                    const isolate::SharedMemory* input) {
  const StreamFile out;
  const StreamFile err;
  if (out.number() < 0 || err.number() < 0) return Failed("no memory for the output", errno);
  std::vector<std::string> texts = words;
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.number(), STDERR_FILENO);
  if (input != nullptr) {
    lseek(input->descriptor().number(), 0, SEEK_SET);
    posix_spawn_file_actions_adddup2(&actions, input->descriptor().number(), STDIN_FILENO);
  }
  pid_t child = 0;
  const int error = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return Failed("the program cannot be started anew", error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return SpawnedSelf{code, out.Read(), err.Read()};
}

}  // namespace culprit::cli
