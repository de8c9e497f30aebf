// SPDX-License-Identifier: Apache-2.0
#include "hunt/oracle/program_oracle.h"

#include "hunt/oracle/verify_more_times.h"

namespace culprit::hunt {

base::Status ProgramOracle::Begin(const repro::Header& header, bool /*as_recorded*/) {
  judge_ =
      CULPRIT_TRY(OutsideJudge::Find(request_->judge_program, request_->compiler.limits(header).wall_time,
                                     header, [this] { return listener_->stop(); }));
  return base::Done{};
}

base::Result<check::Character> ProgramOracle::Characterize(const repro::Repro& repro, bool /*quickly*/,
                                                           const OnQuery& on_query) {
  check::Character character{.queries = 1};
  on_query(1, 1);
  const minify::Reply reply = judge_->Ask({repro.graph, repro.inputs});
  if (!reply.is_answer) return judge_->broken().value_or(base::Diagnostic{{}, "interrupted"});
  if (reply.verdict.answer == minify::Answer::kInvalid) character.invalid = reply.verdict.reason;
  if (reply.fails()) {
    character.expectation = check::Expectation{*reply.verdict.signature};
    character.failures = 1;
  }
  return character;
}

void ProgramOracle::Expect(const check::Expectation& /*expected*/, const repro::RunFolder& folder) {
  judge_->PutCandidatesIn(folder.path());
}

base::Result<Verification> ProgramOracle::Verify(const std::string& path) {
  const minify::Reply reply = judge_->AskAboutFile(path);
  Verification verification{.times = 1, .same = reply.fails() ? 1 : 0};
  if (!reply.is_answer) verification.otherwise = "the judge gives no answer";
  if (reply.is_answer && !reply.fails()) verification.otherwise = "the judge lets it pass";
  if (verification.holds()) VerifyMoreTimes(*judge_, path, JobsOf(*request_), *listener_, verification);
  return verification;
}

}  // namespace culprit::hunt
