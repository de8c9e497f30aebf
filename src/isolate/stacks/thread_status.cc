// SPDX-License-Identifier: Apache-2.0
#include "isolate/stacks/thread_status.h"

#include <fmt/format.h>
#include <sys/syscall.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace culprit::isolate {
namespace {

constexpr std::string_view kName = "Name:\t";
constexpr std::string_view kState = "State:\t";
constexpr std::string_view kBlocked = "SigBlk:\t";

bool WaitsForSignals(const std::string& folder) {
  // "running", or the number of the system call that it is in.
  std::ifstream file(folder + "/syscall");
  long number = -1;
  return file >> number && number == SYS_rt_sigtimedwait;
}

}  // namespace

std::vector<pid_t> ThreadsOfThisProcess() {
  std::vector<pid_t> threads;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
    const std::string name = entry.path().filename();
    pid_t id = 0;
    std::from_chars(name.data(), name.data() + name.size(), id);
    threads.push_back(id);
  }
  std::sort(threads.begin(), threads.end());
  return threads;
}

std::optional<ThreadStatus> StatusOfThread(pid_t id) {
  const std::string folder = fmt::format("/proc/self/task/{}", id);
  std::ifstream file(folder + "/status");
  ThreadStatus status;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(kName)) status.name = line.substr(kName.size());
    if (line.starts_with(kState)) status.state = line.at(kState.size());
    if (line.starts_with(kBlocked))
      std::from_chars(line.data() + kBlocked.size(), line.data() + line.size(), status.blocked_signals, 16);
  }
  if (status.state == '?' || status.state == 'Z' || status.state == 'X') return std::nullopt;
  status.waits_for_signals = WaitsForSignals(folder);
  return status;
}

}  // namespace culprit::isolate
