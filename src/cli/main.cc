// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <csignal>

#include "cli/command_line.h"
#include "cli/run_guarded.h"
#include "cli/show/print.h"
#include "cli/show/torch_warnings.h"
#include "process/settings.h"

int main(int argc, char** argv) {
  // A write that cannot be done is an error, not the end: nobody reads, or the file gets too large (ulimit
  // -f).
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  culprit::process::ApplySettings();
  culprit::cli::PrintTorchWarnings();
  culprit::cli::RememberCommandLine(argc, argv);
  const int status = culprit::cli::RunGuarded([&] { return culprit::cli::RunCommandLine(argc, argv); });
  // libtorch takes a tenth of a second to tear down, for nothing.
  _exit(culprit::cli::EndOutput(status));
}
