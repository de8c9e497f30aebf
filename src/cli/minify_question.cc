// SPDX-License-Identifier: Apache-2.0
#include "cli/minify_question.h"

#include "cli/compiler_question.h"
#include "cli/judge_question.h"
#include "cli/supervise.h"
#include "hunt/text_file.h"
#include "process/shared_library.h"
#include "repro/read_repro.h"

namespace culprit::cli {
namespace {

constexpr int kMoreTimes = 9;

base::Result<minify::Program> ReadAgain(const std::string& path) {
  const std::string text = CULPRIT_TRY(hunt::ReadText(path));
  repro::LoadedRepro loaded = CULPRIT_TRY(repro::LoadRepro(CULPRIT_TRY(repro::OpenRepro(path, text))));
  return minify::Program{std::move(loaded.repro.graph), std::move(loaded.repro.inputs)};
}

}  // namespace

base::Result<std::unique_ptr<MinifyQuestion>> PrepareQuestion(const MinifyOptions& options) {
  for (const std::string& library : options.script.libraries)
    CULPRIT_TRY(process::LoadSharedLibrary(library));
  if (!options.check.empty()) return std::unique_ptr<MinifyQuestion>(new JudgeQuestion(options));
  return std::unique_ptr<MinifyQuestion>(CULPRIT_TRY(CompilerQuestion::Prepare(options)));
}

void VerifyMoreTimes(minify::FailureCheck& check, const std::string& path, hunt::Verification& verification) {
  const base::Result<minify::Program> program = ReadAgain(path);
  for (int i = 0; program.ok() && i < kMoreTimes; ++i) {
    const minify::Reply reply = check.Ask(*program);
    if (!reply.is_answer || IsInterrupted()) break;
    ++verification.times;
    if (reply.fails()) ++verification.same;
    if (!reply.fails()) verification.otherwise = NameOf(reply.verdict.answer);
  }
}

}  // namespace culprit::cli
