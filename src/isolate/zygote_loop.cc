// SPDX-License-Identifier: Apache-2.0
#include "isolate/zygote_loop.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <fstream>
#include <list>
#include <vector>

#include "isolate/crash/crash_handler.h"
#include "isolate/serve_requests.h"
#include "isolate/wire/socket.h"

namespace culprit::isolate {
namespace {

struct Query {
  pid_t pid = 0;
  Descriptor leash;
  bool has_ended = false;
};

void Reap(pid_t pid) {
  // In its first moments it may not have its own group yet, and then has no children either.
  kill(-pid, SIGKILL);
  kill(pid, SIGKILL);
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::vector<pid_t> OwnChildren() {
  std::ifstream words(fmt::format("/proc/self/task/{}/children", gettid()));
  std::vector<pid_t> pids;
  for (pid_t pid = 0; words >> pid;) pids.push_back(pid);
  return pids;
}

class ZygoteLoop {
 public:
  ZygoteLoop(std::span<const Task> tasks, Descriptor control, pid_t caller)
      : tasks_(tasks), control_(std::move(control)) {
    caller_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, caller, 0)));
    sigset_t child_ended;
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child_ended, nullptr);
    child_ended_ = Descriptor(signalfd(-1, &child_ended, SFD_CLOEXEC | SFD_NONBLOCK));
  }

  void Run() {
    bool caller_lives = true;
    while (caller_lives) {
      std::vector<pollfd> events = {
          {control_.number(), POLLIN, 0}, {caller_.number(), POLLIN, 0}, {child_ended_.number(), POLLIN, 0}};
      for (const Query& query : queries_) events.push_back({query.leash.number(), POLLIN, 0});
      if (poll(events.data(), events.size(), -1) < 0) continue;
      if (events[2].revents != 0) TellWhoEnded();
      ReleaseQueries(std::span(events).subspan(3));
      caller_lives = events[1].revents == 0 && (events[0].revents == 0 || Spawn());
    }
    for (const Query& query : queries_) Reap(query.pid);
    queries_.clear();
    KillOrphans();
  }

 private:
  /// False if the caller has hung up.
  bool Spawn() {
    auto packet = ReceivePacket(control_, 1);
    if (!packet.ok()) return true;
    if (packet->bytes.empty()) return false;
    std::vector<Descriptor>& received = packet->descriptors;
    if (received.size() != kSpawnDescriptors) return true;
    Query query{0, std::move(received[3])};
    const pid_t zygote = getpid();
    query.pid = fork();
    if (query.pid == 0) {
      query.leash.Close();
      CloseAll();
      ServeRequests(tasks_, {std::move(received[0]), std::move(received[1]), std::move(received[2])}, zygote);
    }
    if (query.pid < 0) {
      Tell(query, {LeashMessage::Kind::kCannotFork, errno});
      return true;
    }
    Tell(query, {LeashMessage::Kind::kStarted, query.pid});
    queries_.push_back(std::move(query));
    return true;
  }

  void TellWhoEnded() {
    signalfd_siginfo ignored;
    while (read(child_ended_.number(), &ignored, sizeof(ignored)) > 0) {
    }
    for (Query& query : queries_) {
      if (query.has_ended) continue;
      siginfo_t info = {};
      if (waitid(P_PID, query.pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) continue;
      query.has_ended = true;
      const int status = info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0) : info.si_status;
      Tell(query, {LeashMessage::Kind::kEnded, status});
    }
    for (const pid_t orphan : Orphans()) waitpid(orphan, nullptr, WNOHANG);
  }

  void ReleaseQueries(std::span<const pollfd> leashes) {
    const auto is_released = [&](const Query& query) {
      return std::any_of(leashes.begin(), leashes.end(), [&](const pollfd& event) {
        return event.fd == query.leash.number() && event.revents != 0;
      });
    };
    std::list<Query> released;
    for (auto query = queries_.begin(); query != queries_.end();) {
      const auto next = std::next(query);
      if (is_released(*query)) released.splice(released.end(), queries_, query);
      query = next;
    }
    if (released.empty()) return;
    for (const Query& query : released) Reap(query.pid);
    KillOrphans();
    for (const Query& query : released) Tell(query, {LeashMessage::Kind::kReleased});
  }

  std::vector<pid_t> Orphans() const {
    std::vector<pid_t> pids = OwnChildren();
    std::erase_if(pids, [&](pid_t pid) {
      return std::any_of(queries_.begin(), queries_.end(), [&](const Query& q) { return q.pid == pid; });
    });
    return pids;
  }

  /// Each that dies may leave some of its own.
  void KillOrphans() const {
    for (auto orphans = Orphans(); !orphans.empty(); orphans = Orphans()) {
      for (const pid_t pid : orphans) Reap(pid);
    }
  }

  void CloseAll() {
    control_.Close();
    caller_.Close();
    child_ended_.Close();
    queries_.clear();
  }

  /// A caller that has hung up does not want to know.
  static void Tell(const Query& query, LeashMessage message) {
    static_cast<void>(SendPacket(query.leash, {reinterpret_cast<const char*>(&message), sizeof(message)}));
  }

  const std::span<const Task> tasks_;
  Descriptor control_;
  Descriptor caller_;
  Descriptor child_ended_;
  std::list<Query> queries_;
};

/// Its own session, so that Ctrl-C reaches the caller alone; no handler and no pipe of the caller.
void LeaveCallersWorld() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  // A file that gets too large (ulimit -f) is an error for whoever writes it, as a full disk is.
  signal(SIGXFSZ, SIG_IGN);
  setsid();
  const Descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing.number(), standard);
}

}  // namespace

void RunZygote(std::span<const Task> tasks, Descriptor control, pid_t caller) {
  constexpr int kFailed = 70;
  if (getppid() != caller) _exit(kFailed);
  LeaveCallersWorld();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  PrepareCrashHandler();
  try {
    ZygoteLoop(tasks, std::move(control), caller).Run();
  } catch (const std::exception&) {
    _exit(kFailed);
  }
  _exit(0);
}

}  // namespace culprit::isolate
