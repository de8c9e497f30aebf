// SPDX-License-Identifier: Apache-2.0
//
// culprit worker: what another culprit asks of a program that it starts, here or elsewhere.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "cli/command.h"
#include "tasks/ask.h"
#include "tasks/workers.h"

namespace culprit::cli {
namespace {

/// What compilers and libraries print must not get between the parcels.
base::Status Serve() {
  const int parcels = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (parcels < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    return base::SystemError({"culprit worker"}, "standard output cannot be kept apart", errno);
  return tasks::ServeWorkers(STDIN_FILENO, parcels);
}

std::function<int()> Declare(CLI::App& app) {
  auto parcels = std::make_shared<bool>(false);
  app.add_flag(
      "--stay", *parcels,
      "Answer any number of requests, until standard input ends, each with the memory that it needs");
  return [parcels] {
    const base::Status status = *parcels ? Serve() : tasks::AnswerOneRequest(STDIN_FILENO, STDOUT_FILENO);
    return status.ok() ? static_cast<int>(kSuccess) : Fail(status.error());
  };
}

constexpr std::string_view kDescription =
    "Reads a request from standard input and writes the answer to standard output, both in a binary form. "
    "`culprit verify` and the end of a hunt start it: a failure that comes back here comes back in a process "
    "that has seen nothing but the file.\n\n"
    "With --stay it goes on until standard input ends; `--launcher` starts such workers elsewhere.\n\n"
    "It is for programs. To ask about a file, use `culprit query`.";

constexpr Example kExamples[] = {
    {"culprit worker < request > answer", "Answer one request"},
    {"ssh HOST culprit worker --stay", "What --launcher \"ssh HOST\" starts"},
};

}  // namespace

const Command kWorkerCommand = {
    .name = "worker",
    .summary = "answer a request of another culprit (for programs)",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit verify --help, culprit query --help",
    .meaning_of_success = "the request was answered",
    .meaning_of_failure = "not used",
    .declare = Declare,
};

}  // namespace culprit::cli
