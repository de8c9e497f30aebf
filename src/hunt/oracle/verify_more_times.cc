// SPDX-License-Identifier: Apache-2.0
#include "hunt/oracle/verify_more_times.h"

#include "repro/read_repro.h"
#include "repro/run_folder.h"

namespace culprit::hunt {
namespace {

constexpr int kMoreTimes = 9;

base::Result<minify::Program> ReadAgain(const std::string& path) {
  const std::string text = CULPRIT_TRY(repro::ReadScript(path));
  repro::LoadedRepro loaded = CULPRIT_TRY(repro::LoadRepro(CULPRIT_TRY(repro::OpenRepro(path, text))));
  return minify::Program{std::move(loaded.repro.graph), std::move(loaded.repro.inputs)};
}

}  // namespace

void VerifyMoreTimes(minify::FailureCheck& check, const std::string& path, const Listener& listener,
                     Verification& verification) {
  const base::Result<minify::Program> program = ReadAgain(path);
  for (int i = 0; program.ok() && i < kMoreTimes; ++i) {
    const minify::Reply reply = check.Ask(*program);
    if (!reply.is_answer || listener.stop()) break;
    ++verification.times;
    if (reply.fails()) ++verification.same;
    if (!reply.fails()) verification.otherwise = NameOf(reply.verdict.answer);
  }
}

}  // namespace culprit::hunt
