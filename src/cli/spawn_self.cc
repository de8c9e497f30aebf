// SPDX-License-Identifier: Apache-2.0
#include "cli/spawn_self.h"

#include <fcntl.h>
#include <spawn.h>
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

std::string ReadAll(int file) {
  std::string text;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = read(file, buffer, sizeof(buffer))) > 0 || (got < 0 && errno == EINTR)) {
    if (got > 0) text.append(buffer, static_cast<size_t>(got));
  }
  return text;
}

}  // namespace

base::Result<SpawnedSelf> SpawnSelf(const std::vector<std::string>& words,
                                    const isolate::SharedMemory* input) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return Failed("no pipe", errno);
  std::vector<std::string> texts = {"culprit"};
  texts.insert(texts.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  if (input != nullptr) {
    lseek(input->descriptor().number(), 0, SEEK_SET);
    posix_spawn_file_actions_adddup2(&actions, input->descriptor().number(), STDIN_FILENO);
  }
  pid_t child = 0;
  const int error = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  if (error != 0) {
    close(pipe_ends[0]);
    return Failed("the program cannot be started anew", error);
  }
  SpawnedSelf spawned;
  spawned.out = ReadAll(pipe_ends[0]);
  close(pipe_ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  spawned.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return spawned;
}

}  // namespace culprit::cli
