// SPDX-License-Identifier: Apache-2.0
//
// culprit worker: what another culprit asks of a program that it starts anew.
#include <unistd.h>

#include "cli/command.h"
#include "tasks/ask.h"

namespace culprit::cli {
namespace {

std::function<int()> Declare(CLI::App& /*app*/) {
  return [] {
    const base::Status status = tasks::AnswerOneRequest(STDIN_FILENO, STDOUT_FILENO);
    return status.ok() ? static_cast<int>(kSuccess) : Fail(status.error());
  };
}

constexpr std::string_view kDescription =
    "Reads a request from standard input and writes the answer to standard output, both in a binary form. "
    "`culprit verify` and the end of a hunt start it: a failure that comes back here comes back in a process "
    "that has seen nothing but the file.\n\n"
    "It is for programs. To ask about a file, use `culprit query`.";

constexpr Example kExamples[] = {
    {"culprit worker < request > answer", "Answer one request"},
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
