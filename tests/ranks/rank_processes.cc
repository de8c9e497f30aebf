// SPDX-License-Identifier: Apache-2.0
#include "tests/ranks/rank_processes.h"

#include <ATen/Parallel.h>
#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "base/internal_error.h"
#include "ranks/join.h"

namespace culprit::tests {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kLongest = std::chrono::seconds(60);

struct Process {
  pid_t pid = 0;
  int pipe = -1;
};

std::string Try(const std::function<std::string(int)>& function, int rank) {
  try {
    return function(rank);
  } catch (const std::exception& error) {
    return error.what();
  }
}

Process Start(const std::function<std::string(int)>& function, int rank) {
  int ends[2];
  CULPRIT_CHECK(pipe(ends) == 0, "no pipe");
  const pid_t pid = fork();
  CULPRIT_CHECK(pid >= 0, "no process");
  if (pid > 0) {
    close(ends[1]);
    return {pid, ends[0]};
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // libtorch looks up the names of addresses for its log. An answer that gets lost costs a second, not five.
  setenv("RES_OPTIONS", "timeout:1", /*overwrite=*/1);
  // The threads of libgomp's pool are not there after a fork.
  at::set_num_threads(1);
  const std::string text = Try(function, rank);
  const bool is_written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
  _exit(is_written ? 0 : 1);
}

std::string ReadAll(int pipe, Clock::time_point deadline) {
  std::string text;
  for (char buffer[4096];;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd ready = {.fd = pipe, .events = POLLIN, .revents = 0};
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) == 0) return text;
    const ssize_t count = read(pipe, buffer, sizeof(buffer));
    if (count <= 0) return text;
    text.append(buffer, count);
  }
}

std::string End(const Process& process, Clock::time_point deadline) {
  std::string text = ReadAll(process.pipe, deadline);
  close(process.pipe);
  if (Clock::now() >= deadline) text = "still running";
  // It has nothing more to say, or may be stopped.
  if (text == "still running") kill(process.pid, SIGKILL);
  int status = 0;
  waitpid(process.pid, &status, 0);
  if (WIFSIGNALED(status) && text.empty()) return fmt::format("killed by signal {}", WTERMSIG(status));
  return text;
}

}  // namespace

std::vector<std::string> RunRanks(int size, const std::function<std::string(int rank)>& function) {
  const auto deadline = Clock::now() + kLongest;
  std::vector<Process> processes;
  for (int rank = 0; rank < size; ++rank) processes.push_back(Start(function, rank));
  std::vector<std::string> texts;
  for (const Process& process : processes) texts.push_back(End(process, deadline));
  return texts;
}

Gate::Gate() {
  void* memory = mmap(nullptr, sizeof(*come_), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CULPRIT_CHECK(memory != MAP_FAILED, "no memory");
  come_ = new (memory) std::atomic<int>(0);
}

Gate::~Gate() {
  munmap(come_, sizeof(*come_));
}

void Gate::Pass(int ranks) const {
  ++*come_;
  while (*come_ < ranks) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

uint16_t FreePort() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  CULPRIT_CHECK(bind(listener, reinterpret_cast<sockaddr*>(&address), length) == 0, "no port");
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
  close(listener);
  return ntohs(address.sin_port);
}

ranks::Launch LaunchOf(int rank, int size, uint16_t port) {
  return {.rank = rank, .size = size, .host = "127.0.0.1", .port = port};
}

std::shared_ptr<ranks::RankGroup> JoinAt(uint16_t port, int rank, int size) {
  auto group = ranks::JoinByLaunch(LaunchOf(rank, size, port), port, std::chrono::seconds(20));
  if (!group.ok()) throw std::runtime_error(group.error().Render());
  return *std::move(group);
}

std::string TextOf(const ranks::RankOutcome<std::vector<capture::PlaceView>>& outcome) {
  if (const auto* failure = std::get_if<ranks::RankFailure>(&outcome)) return failure->why.Render();
  std::string text = "agreed:";
  for (const capture::PlaceView& view : std::get<0>(outcome)) {
    if (view.inputs.empty()) text += " empty";
    for (const capture::InputView& input : view.inputs) {
      text += input.number ? fmt::format(" {}", *input.number) : fmt::format(" {}", input.sizes);
    }
  }
  return text;
}

capture::PlaceView ViewWith(const std::vector<int64_t>& sizes) {
  return {.place = "forward: from net.py:12",
          .inputs = {{.name = "x",
                      .type = "float32 tensor",
                      .sizes = sizes,
                      .strides = std::vector<int64_t>(sizes.size(), 1)}},
          .operators = 7};
}

}  // namespace culprit::tests
