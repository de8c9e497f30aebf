// SPDX-License-Identifier: Apache-2.0
#include "backends/server/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>

#include "isolate/wire/session_name.h"
#include "isolate/wire/socket.h"
#include "isolate/wire/system_error.h"

namespace culprit::backends::server {
namespace {

using base::Result;
using isolate::Descriptor;

constexpr int kListening = 3;

/// What this process holds of a server that it has started.
struct Running {
  /// Closed by the end of this process, which ends the server.
  Descriptor lifeline;
  /// A file in memory.
  Descriptor output;
};

std::mutex running_mutex;
std::map<std::string, Running>& RunningServers() {
  static auto& servers = *new std::map<std::string, Running>();
  return servers;
}

std::string AddressOf(const ServerProgram& program) {
  const std::string text =
      fmt::format("{}\n{}", fmt::join(program.command, "\n"), fmt::join(program.environment, "\n"));
  return fmt::format("{}-{:016x}", isolate::SessionName(), std::hash<std::string>()(text));
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> EnvironmentWith(const std::vector<std::string>& more) {
  std::vector<std::string> all = more;
  const auto is_set = [&](std::string_view name) {
    return std::any_of(more.begin(), more.end(), [&](const std::string& entry) {
      return entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
    });
  };
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!is_set(text.substr(0, text.find('=')))) all.emplace_back(text);
  }
  return all;
}

/// Owns the two lists of posix_spawn.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    // Out of reach of the terminal, and no signal of this process blocked or ignored.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void Pass(const Descriptor& descriptor, int number) {
    posix_spawn_file_actions_adddup2(&actions_, descriptor.number(), number);
  }
  int Run(std::vector<std::string> command, std::vector<std::string> environment) {
    pid_t pid = 0;
    const std::vector<char*> words = Pointers(command);
    const std::vector<char*> entries = Pointers(environment);
    return posix_spawnp(&pid, words[0], &actions_, &attributes_, words.data(), entries.data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// Above those that the server gets: what is passed must not be overwritten before.
Result<Descriptor> Lifted(const Descriptor& descriptor) {
  Descriptor lifted(fcntl(descriptor.number(), F_DUPFD_CLOEXEC, kListening + 1));
  if (!lifted.is_open()) return isolate::SystemError("copy a descriptor");
  return lifted;
}

base::Status Launch(const ServerProgram& program, const std::string& address) {
  const Descriptor listening = CULPRIT_TRY(Lifted(CULPRIT_TRY(isolate::ListenAt(address))));
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return isolate::SystemError("make a pipe");
  Running running{Descriptor(ends[1]), Descriptor(memfd_create("culprit-server", MFD_CLOEXEC))};
  const Descriptor life = CULPRIT_TRY(Lifted(Descriptor(ends[0])));
  const Descriptor output = CULPRIT_TRY(Lifted(running.output));
  SpawnPlan plan;
  plan.Pass(life, STDIN_FILENO);
  plan.Pass(output, STDOUT_FILENO);
  plan.Pass(output, STDERR_FILENO);
  plan.Pass(listening, kListening);
  if (const int error = plan.Run(program.command, EnvironmentWith(program.environment)); error != 0) {
    base::Diagnostic failure = isolate::SystemError(
        fmt::format("start {}, which serves '{}'", program.command[0], program.name), error);
    return failure;
  }
  RunningServers()[address] = std::move(running);
  return base::Done();
}

}  // namespace

Result<Descriptor> ConnectToServer(const ServerProgram& program) {
  const std::string address = AddressOf(program);
  const std::lock_guard lock(running_mutex);
  if (auto connected = CULPRIT_TRY(isolate::ConnectTo(address))) return *std::move(connected);
  CULPRIT_TRY(Launch(program, address));
  auto connected = CULPRIT_TRY(isolate::ConnectTo(address));
  if (connected) return *std::move(connected);
  return base::Diagnostic{{}, fmt::format("the server of '{}' has ended at once", program.name)};
}

std::string OutputOfServer(const ServerProgram& program) {
  constexpr size_t kMostBytes = 64 << 10;
  const std::lock_guard lock(running_mutex);
  const auto running = RunningServers().find(AddressOf(program));
  if (running == RunningServers().end()) return "";
  std::string text(kMostBytes, '\0');
  const ssize_t size = pread(running->second.output.number(), text.data(), text.size(), 0);
  text.resize(static_cast<size_t>(std::max<ssize_t>(size, 0)));
  return text;
}

}  // namespace culprit::backends::server
