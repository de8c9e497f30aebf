// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/way_on.h"

#include <fmt/format.h>

#include "backend/spec.h"
#include "backends/trust.h"
#include "base/shell_word.h"

namespace culprit::hunt {

std::string ResumeCommand(const std::string& folder, const std::string& options, const std::string& judge) {
  const std::string check = judge.empty() ? "" : fmt::format(" --check {}", base::ShellWord(judge));
  return fmt::format("culprit minify --resume {}{}{}", base::ShellWord(folder), options, check);
}

std::string OptionsForWorkers(const HuntRequest& request) {
  if (request.launcher.empty()) return "";
  return fmt::format(" --launcher {} --jobs {}", base::ShellWord(request.launcher), JobsOf(request));
}

std::string OptionsForCommands(const HuntRequest& request, const repro::Header& header) {
  std::string text;
  for (const std::string& word : request.file.words_for_reading()) text += " " + base::ShellWord(word);
  const base::Result<backend::Spec> spec = backend::ParseSpec(header.backend);
  if (spec.ok() && !backends::CheckFromFile(*spec).ok())
    text += " --backend " + base::ShellWord(header.backend);
  return text;
}

base::Diagnostic WithWayOn(base::Diagnostic error, const MinifyRepro& job) {
  if (error.cause == base::Cause::kReference) return error;
  if (!OpenTrace(job.folder.trace()).ok()) {
    // Nothing was found yet that could be lost.
    job.folder.Remove();
    if (error.help.empty()) error.help = "to keep the run on another disk, add: --out DIR";
    return error;
  }
  error.notes.push_back(fmt::format("the smallest repro so far: {}", base::ShellWord(job.folder.repro())));
  error.help =
      fmt::format("to go on, run: {}",
                  ResumeCommand(job.folder.path(), job.options + job.worker_options, job.plan.judge));
  return error;
}

}  // namespace culprit::hunt
