// SPDX-License-Identifier: Apache-2.0
#include "tasks/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <vector>

#include "base/text.h"
#include "tasks/ask_workers.h"

namespace culprit::tasks {
namespace {

base::Result<Tally> AskOneByOne(const VerifyRequest& request, const VerifyListener& listener) {
  Tally tally;
  for (uint64_t i = 0; i < request.times; ++i) {
    listener.on_phase(fmt::format("process {} of {}", i + 1, request.times));
    tally.Add(CULPRIT_TRY(AskFreshProgram(request.ask)));
  }
  return tally;
}

base::Result<Tally> AskWorkers(const VerifyRequest& request, const VerifyListener& listener) {
  const AskRequest& ask = request.ask;
  const Children children = CULPRIT_TRY(Children::Start());
  CULPRIT_TRY(CULPRIT_TRY(AnswerOf(children.Load({ask.file, ask.compiler}))).answer);
  open::Notes notes;
  const OpenedQuestion question = CULPRIT_TRY(OpenQuestion(ask, notes));
  const uint64_t jobs = std::min(request.jobs, request.times);
  const auto workers =
      CULPRIT_TRY(Workers::Start({request.launcher, jobs, ask.file.libraries}, nullptr, listener.on_note));
  listener.on_phase("waiting for a worker");
  CULPRIT_TRY(workers->WaitForOne());
  listener.on_phase(fmt::format("{} in workers", base::Counted(request.times, "process")));
  std::vector<std::future<base::Result<check::QuestionReply>>> replies;
  for (uint64_t i = 0; i < request.times; ++i) {
    if (i >= jobs) replies[i - jobs].wait();
    replies.push_back(std::async(std::launch::async, AskFreshWorkers, workers, std::cref(question)));
  }
  Tally tally;
  for (auto& reply : replies) tally.Add(CULPRIT_TRY(reply.get()));
  return tally;
}

}  // namespace

void Tally::Add(const check::QuestionReply& reply) {
  ++asked;
  help = reply.finding.help;
  const backend::QuestionVerdict& verdict = reply.verdict;
  const std::string failure = verdict.signature ? verdict.signature->ToString() : "";
  if (verdict.answer == backend::Answer::kSameFailure) {
    ++same;
    signature = failure;
    return;
  }
  const std::string& detail = failure.empty() ? verdict.reason : failure;
  if (verdict.answer == backend::Answer::kInvalid) ++invalid;
  ++others[std::string(NameOf(verdict.answer)) + (detail.empty() ? "" : ": " + detail)];
}

std::string_view Tally::word() const {
  if (same == asked) return "always";
  return same == 0 ? "never" : "sometimes";
}

base::Result<Tally> Verify(const VerifyRequest& request, const VerifyListener& listener) {
  return request.launcher.empty() ? AskOneByOne(request, listener) : AskWorkers(request, listener);
}

}  // namespace culprit::tasks
