// SPDX-License-Identifier: Apache-2.0
#include "cli/judge_question.h"

#include "cli/supervise.h"

namespace culprit::cli {

base::Status JudgeQuestion::Begin(const repro::Header& header, bool /*as_recorded*/) {
  judge_ = CULPRIT_TRY(hunt::OutsideJudge::Find(options_->check, options_->query.limits(header).wall_time,
                                                header, IsInterrupted));
  return base::Done{};
}

base::Result<check::Character> JudgeQuestion::Characterize(const repro::Repro& repro, bool /*quickly*/,
                                                           const OnRun& on_run) {
  check::Character character{.queries = 1};
  on_run(1, 1);
  const minify::Reply reply = judge_->Ask({repro.graph, repro.inputs});
  if (!reply.is_answer) return judge_->broken().value_or(base::Diagnostic{{}, "interrupted"});
  if (reply.verdict.answer == minify::Answer::kInvalid) character.invalid = reply.verdict.reason;
  if (reply.fails()) {
    character.expectation = check::Expectation{*reply.verdict.signature};
    character.failures = 1;
  }
  return character;
}

void JudgeQuestion::Expect(const check::Expectation& /*expected*/, const repro::RunFolder& folder) {
  judge_->PutCandidatesIn(folder.path());
}

base::Result<hunt::Verification> JudgeQuestion::Verify(const std::string& path) {
  const minify::Reply reply = judge_->AskAboutFile(path);
  hunt::Verification verification{.times = 1, .same = reply.fails() ? 1 : 0};
  if (!reply.is_answer) verification.otherwise = "the judge gives no answer";
  if (reply.is_answer && !reply.fails()) verification.otherwise = "the judge lets it pass";
  if (verification.holds()) VerifyMoreTimes(*judge_, path, verification);
  return verification;
}

}  // namespace culprit::cli
