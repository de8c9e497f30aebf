// SPDX-License-Identifier: Apache-2.0
#include "hunt/outside_judge.h"

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

#include "hunt/isolated_check.h"
#include "repro/write_repro.h"

namespace culprit::hunt {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class PrivateFolder {
 public:
  PrivateFolder() {
    std::string path = fs::temp_directory_path() / "culprit-candidate-XXXXXX";
    if (mkdtemp(path.data()) != nullptr) path_ = path;
  }
  ~PrivateFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

minify::Reply Invalid(std::string reason) {
  return {{minify::Answer::kInvalid, std::nullopt, std::move(reason)}};
}

/// Between fork and exec: only what is safe there. What it prints is its own business and nobody's here.
[[noreturn]] void Become(pid_t parent, char* const* argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, standard);
  if (getppid() == parent) execv(argv[0], argv);
  _exit(127);
}

/// The status that waitpid gives; nothing if it had to be ended.
std::optional<int> WaitFor(pid_t child, std::chrono::nanoseconds timeout) {
  using namespace std::chrono_literals;
  const Clock::time_point deadline = Clock::now() + timeout;
  int status = 0;
  for (auto pause = 1ms; waitpid(child, &status, WNOHANG) == 0; pause = std::min(2 * pause, 20ms)) {
    if (Clock::now() >= deadline) {
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

}  // namespace

backend::FailureSignature JudgesSignature(const std::string& program) {
  return {.phase = backend::FailurePhase::kCall,
          .kind = backend::FailureKind::kException,
          .message = fmt::format("{} says that it fails", fs::path(program).filename().string())};
}

base::Result<OutsideJudge> OutsideJudge::Find(const std::string& program, std::chrono::nanoseconds timeout,
                                              repro::Header header) {
  const std::string path = fs::absolute(program).lexically_normal();
  if (access(path.c_str(), X_OK) == 0 && !fs::is_directory(path))
    return OutsideJudge(path, timeout, std::move(header));
  base::Diagnostic error{{program}, fmt::format("cannot be run: {}", std::strerror(errno))};
  error.help = fmt::format(
      "name a program that exits with 0 if the file it gets still fails; to make a "
      "script one: chmod +x {}",
      program);
  return error;
}

minify::Reply OutsideJudge::Ask(const minify::Program& program) {
  const PrivateFolder folder;
  if (folder.path().empty()) return Invalid("there is no folder for the candidate");
  const std::string file = folder.path() + "/candidate.py";
  const auto written = repro::WriteRepro(file, ReproOf(program, header_));
  return written.ok() ? AskAboutFile(file) : Invalid(written.error().message);
}

minify::Reply OutsideJudge::AskAboutFile(const std::string& path) const {
  std::string words[] = {path_, path};
  char* const argv[] = {words[0].data(), words[1].data(), nullptr};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return Invalid(fmt::format("the judge cannot be started: {}", std::strerror(errno)));
  if (child == 0) Become(parent, argv);
  const std::optional<int> status = WaitFor(child, timeout_);
  if (!status) return {{minify::Answer::kPasses, std::nullopt, "the judge took too long and was ended"}};
  const bool fails = WIFEXITED(*status) && WEXITSTATUS(*status) == 0;
  if (fails) return {{minify::Answer::kSameFailure, JudgesSignature(path_)}};
  return {{minify::Answer::kPasses}};
}

}  // namespace culprit::hunt
