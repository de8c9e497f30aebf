// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/resumed_run.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/shell_word.h"
#include "base/text.h"

namespace culprit::hunt {
namespace {

std::string Absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal();
}

base::Diagnostic UntrustedJudge(const std::string& trace, const std::string& judge) {
  base::Diagnostic error{{trace}, fmt::format("the trace asks for the judge '{}'", base::Shortened(judge))};
  error.notes.emplace_back("whoever wrote the file could run any code that way");
  error.help = fmt::format("if you trust it, add: --trust; to name the judge yourself, add: --check {}",
                           base::ShellWord(judge));
  return error;
}

base::Diagnostic OtherJudge(const std::string& trace, const std::string& judge) {
  base::Diagnostic error{
      {trace}, judge.empty() ? "the run has no judge" : fmt::format("the judge of the run is '{}'", judge)};
  error.notes.emplace_back("the answers that are known already were not given by another");
  error.help = "leave out --check, or begin a new run with: culprit minify FILE --check PROGRAM";
  return error;
}

base::Status CheckJudge(const std::string& trace, const std::string& judge, const HuntRequest& request) {
  if (!request.judge_program.empty() && Absolute(request.judge_program) != Absolute(judge))
    return OtherJudge(trace, judge);
  const bool is_trusted = judge.empty() || !request.judge_program.empty() || request.compiler.trust;
  return is_trusted ? base::Status(base::Done{}) : UntrustedJudge(trace, judge);
}

}  // namespace

base::Result<ResumedRun> OpenRun(const HuntRequest& request) {
  repro::RunFolder folder = CULPRIT_TRY(repro::RunFolder::Open(request.resume));
  ReadTrace trace = CULPRIT_TRY(OpenTrace(folder.trace()));
  CULPRIT_TRY(CheckJudge(folder.trace(), trace.plan.judge, request));
  ResumedRun run{std::move(folder), std::move(trace), request};
  run.request.file.file = run.folder.original();
  run.request.judge_program = run.trace.plan.judge;
  return run;
}

}  // namespace culprit::hunt
