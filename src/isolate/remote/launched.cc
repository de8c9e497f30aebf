// SPDX-License-Identifier: Apache-2.0
#include "isolate/remote/launched.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "isolate/query/outcome.h"
#include "isolate/wire/system_error.h"

namespace culprit::isolate {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kToFollow = std::chrono::seconds(3);
constexpr int kNotStarted = 127;

struct Pipe {
  Descriptor reader;
  Descriptor writer;
};

base::Result<Pipe> MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return SystemError("make a pipe");
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

void NeverWait(const Descriptor& descriptor) {
  fcntl(descriptor.number(), F_SETFL, fcntl(descriptor.number(), F_GETFL) | O_NONBLOCK);
}

/// Between fork and exec: only what is safe there.
[[noreturn]] void Become(pid_t parent, char* const* argv, int in, int out, int err) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Out of reach of the terminal, and killed with what it starts.
  setpgid(0, 0);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const bool connected =
      dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0;
  if (connected && getppid() == parent) execv("/bin/sh", argv);
  _exit(kNotStarted);
}

}  // namespace

base::Result<Launched> Launched::Start(const WorkerLaunch& launch) {
  std::vector<std::string> words{"/bin/sh", "-c", launch.launcher + " \"$@\"", "culprit"};
  words.insert(words.end(), launch.program.begin(), launch.program.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  Pipe in = CULPRIT_TRY(MakePipe());
  Pipe out = CULPRIT_TRY(MakePipe());
  Pipe err = CULPRIT_TRY(MakePipe());
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return SystemError("start a launcher");
  if (pid == 0) Become(parent, argv.data(), in.reader.number(), out.writer.number(), err.writer.number());
  // Also here: it may be killed before it has done so itself.
  setpgid(pid, pid);
  for (const Descriptor* end : {&in.writer, &out.reader, &err.reader}) NeverWait(*end);
  return Launched(pid, std::move(in.writer), std::move(out.reader), std::move(err.reader));
}

Launched::Launched(Launched&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      status_(other.status_),
      in_(std::move(other.in_)),
      out_(std::move(other.out_)),
      err_(std::move(other.err_)),
      errors_(std::move(other.errors_)) {}

Launched::~Launched() {
  if (pid_ > 0) End(Nicely::kNo);
}

void Launched::ReadErrors() {
  std::array<char, 8 << 10> buffer;
  const ssize_t got = read(err_.number(), buffer.data(), buffer.size());
  if (got > 0) errors_.Append({buffer.data(), static_cast<size_t>(got)});
  if (got == 0) err_.Close();
}

bool Launched::Read(milliseconds patience, std::string& out) {
  std::array<pollfd, 2> events = {{{out_.number(), POLLIN, 0}, {err_.number(), POLLIN, 0}}};
  poll(events.data(), events.size(), static_cast<int>(patience.count()));
  std::array<char, 64 << 10> buffer;
  if (events[1].revents != 0) ReadErrors();
  if (events[0].revents == 0) return true;
  const ssize_t got = read(out_.number(), buffer.data(), buffer.size());
  if (got > 0) out.append(buffer.data(), static_cast<size_t>(got));
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

bool Launched::Write(milliseconds patience, std::span<const std::byte>& bytes) const {
  pollfd event = {in_.number(), POLLOUT, 0};
  if (poll(&event, 1, static_cast<int>(patience.count())) <= 0) return true;
  const ssize_t put = write(in_.number(), bytes.data(), bytes.size());
  if (put > 0) bytes = bytes.subspan(static_cast<size_t>(put));
  return put > 0 || (put < 0 && (errno == EAGAIN || errno == EINTR));
}

bool Launched::HasEnded(milliseconds patience) {
  constexpr milliseconds kLook(5);
  for (milliseconds waited(0);; waited += kLook) {
    // It stays a zombie: its number, which is also that of its group, cannot become somebody else's.
    siginfo_t ended = {};
    if (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0) return true;
    if (ended.si_pid != 0) return true;
    if (waited >= patience) return false;
    // What it still has to say must not keep it from ending.
    std::string ignored;
    if (!out_.is_open()) poll(nullptr, 0, static_cast<int>(kLook.count()));
    if (out_.is_open() && !Read(kLook, ignored)) out_.Close();
  }
}

std::string Launched::End(Nicely nicely) {
  in_.Close();
  const bool ended = HasEnded(nicely == Nicely::kYes ? kToFollow : milliseconds(0));
  // A launcher that still waits for a machine takes itself out of the queue.
  if (!ended) kill(-pid_, SIGTERM);
  if (!ended) HasEnded(kToFollow);
  // With what it has started and left behind.
  kill(-pid_, SIGKILL);
  waitpid(pid_, &status_, 0);
  pid_ = 0;
  ReadErrors();
  return WIFSIGNALED(status_) ? SignalName(WTERMSIG(status_))
                              : fmt::format("exit code {}", WEXITSTATUS(status_));
}

}  // namespace culprit::isolate
