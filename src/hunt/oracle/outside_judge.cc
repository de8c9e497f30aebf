// SPDX-License-Identifier: Apache-2.0
#include "hunt/oracle/outside_judge.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>

#include "files/private_folder.h"
#include "hunt/oracle/isolated_check.h"
#include "repro/describe_inputs.h"
#include "repro/write_repro.h"

namespace culprit::hunt {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Of shells, and of a program whose interpreter does not exist.
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

/// Between fork and exec: only what is safe there. What it prints is its own business and nobody's here.
[[noreturn]] void Become(pid_t parent, char* const* argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  // It expects what every program does; this process ignores them (cli/main.cc).
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, standard);
  if (getppid() == parent) execv(argv[0], argv);
  _exit(kNotFound);
}

/// The status that waitpid gives; nothing if it had to be ended.
std::optional<int> WaitFor(pid_t child, std::chrono::nanoseconds timeout, const std::function<bool()>& stop) {
  using namespace std::chrono_literals;
  const Clock::time_point deadline = Clock::now() + timeout;
  int status = 0;
  for (auto pause = 1ms; waitpid(child, &status, WNOHANG) == 0; pause = std::min(2 * pause, 20ms)) {
    if (Clock::now() >= deadline || stop()) {
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
      return std::nullopt;
    }
    std::this_thread::sleep_for(pause);
  }
  // What it left running must not see the next candidate.
  kill(-child, SIGKILL);
  return status;
}

base::Diagnostic NotStarted(const std::string& judge, int code) {
  base::Diagnostic error{{judge},
                         fmt::format("exited with {}, which says that a program {}; that is no answer", code,
                                     code == kNotFound ? "was not found" : "cannot be run")};
  error.notes.emplace_back("it may be the interpreter of the judge, or what the judge starts");
  return error;
}

}  // namespace

backend::FailureSignature JudgesSignature(const std::string& program) {
  return {.phase = backend::FailurePhase::kCall,
          .kind = backend::FailureKind::kException,
          .message = fmt::format("{} says that it fails", fs::path(program).filename().string())};
}

base::Result<std::unique_ptr<OutsideJudge>> OutsideJudge::Find(const std::string& program,
                                                               std::chrono::nanoseconds timeout,
                                                               repro::Header header,
                                                               std::function<bool()> stop) {
  const std::string path = fs::absolute(program).lexically_normal();
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  if (!is_folder && access(path.c_str(), X_OK) == 0)
    return std::unique_ptr<OutsideJudge>(new OutsideJudge(path, timeout, std::move(header), std::move(stop)));
  base::Diagnostic error{
      {program}, fmt::format("cannot be run: {}", is_folder ? "it is a folder" : std::strerror(errno))};
  error.help = fmt::format(
      "name a program that exits with 0 if the file it gets still fails; to make a "
      "script one: chmod +x {}",
      program);
  return error;
}

minify::Reply OutsideJudge::Ask(const minify::Program& program) {
  if (const auto inputs = repro::DescribeInputs(program.graph, program.inputs); !inputs.ok())
    return {{minify::Answer::kInvalid, std::nullopt, inputs.error().message}};
  const base::Result<files::PrivateFolder> folder = files::PrivateFolder::Make(folder_, "culprit-candidate");
  if (!folder.ok()) return Break(folder.error());
  const std::string file = folder->path() + "/candidate.py";
  const auto written = repro::WriteRepro(file, ReproOf(program, header_));
  return written.ok() ? AskAboutFile(file) : Break(written.error());
}

minify::Reply OutsideJudge::AskAboutFile(const std::string& path) {
  std::string words[] = {path_, path};
  char* const argv[] = {words[0].data(), words[1].data(), nullptr};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return Break(base::SystemError({path_}, "a process for it cannot be made", errno));
  if (child == 0) Become(parent, argv);
  const std::optional<int> status = WaitFor(child, timeout_, stop_);
  if (stop_()) return {.is_answer = false};
  if (!status) return {{minify::Answer::kPasses, std::nullopt, "the judge took too long and was ended"}};
  const int code = WIFEXITED(*status) ? WEXITSTATUS(*status) : -1;
  if (code == kNotFound || code == kNotExecutable) return Break(NotStarted(path_, code));
  const bool fails = code == 0;
  if (fails) return {{minify::Answer::kSameFailure, JudgesSignature(path_)}};
  return {{minify::Answer::kPasses}};
}

}  // namespace culprit::hunt
