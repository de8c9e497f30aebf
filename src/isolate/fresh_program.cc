// SPDX-License-Identifier: Apache-2.0
#include "isolate/fresh_program.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace culprit::isolate {
namespace {

/// What BecomeAnew() exits with; no command does.
constexpr int kNotStarted = 127;

base::Diagnostic Failed(const char* what, int error) {
  return base::SystemError({"culprit"}, what, error);
}

/// What waitpid() says of a process that gave no exit code of its own.
base::Diagnostic Died(int status) {
  const std::string how = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it could not be started";
  base::Diagnostic error{{"culprit"}, "the program that was started anew died: " + how};
  error.cause = base::Cause::kEnvironment;
  return error;
}

/// One of the streams of the new program, in memory without a name.
class StreamFile {
 public:
  StreamFile() : file_(memfd_create("culprit", MFD_CLOEXEC)) {}
  ~StreamFile() { close(file_); }
  StreamFile(const StreamFile&) = delete;
  StreamFile& operator=(const StreamFile&) = delete;

  int number() const { return file_; }

  /// From the beginning, where the program reads it.
  bool Write(std::string_view text) const {
    size_t done = 0;
    while (done < text.size()) {
      const ssize_t put = pwrite(file_, text.data() + done, text.size() - done, static_cast<off_t>(done));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return false;
      done += static_cast<size_t>(put);
    }
    return true;
  }

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

/// Between fork and exec: only what is safe there. posix_spawn cannot tie the child's life to ours.
[[noreturn]] void BecomeAnew(pid_t parent, char* const* argv, int in, int out, int err) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const bool connected =
      dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0;
  if (connected && getppid() == parent) execv("/proc/self/exe", argv);
  _exit(kNotStarted);
}

}  // namespace

base::Result<FreshProgram> RunFreshProgram(const std::vector<std::string>& words, std::string_view input) {
  const StreamFile in;
  const StreamFile out;
  const StreamFile err;
  if (in.number() < 0 || out.number() < 0 || err.number() < 0)
    return Failed("no memory for a new program", errno);
  if (!in.Write(input)) return Failed("no memory for a new program", errno);
  std::vector<std::string> texts = words;
  std::vector<char*> argv;
  argv.reserve(texts.size() + 1);
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return Failed("the program cannot be started anew", errno);
  if (child == 0) BecomeAnew(parent, argv.data(), in.number(), out.number(), err.number());
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) == kNotStarted) return Died(status);
  return FreshProgram{WEXITSTATUS(status), out.Read(), err.Read()};
}

}  // namespace culprit::isolate
