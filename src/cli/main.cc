// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "cli/command_line.h"
#include "cli/isolated_command.h"
#include "cli/torch_warnings.h"
#include "process/settings.h"

int main(int argc, char** argv) {
  culprit::process::ApplySettings();
  culprit::cli::PrintTorchWarnings();
  int status = culprit::cli::kInternal;
  try {
    culprit::cli::RememberCommandLine(argc, argv);
    status = culprit::cli::RunCommandLine(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "culprit: internal error: {}\n", error.what());
  }
  // libtorch takes a tenth of a second to tear down, for nothing.
  if (std::fflush(nullptr) != 0) {
    fmt::print(stderr, "culprit: error: the output cannot be written: {}\n", std::strerror(errno));
    status = culprit::cli::kInternal;
  }
  _exit(status);
}
