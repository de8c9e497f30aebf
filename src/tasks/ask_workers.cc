// SPDX-License-Identifier: Apache-2.0
#include "tasks/ask_workers.h"

#include "check/query/stamp.h"

namespace culprit::tasks {

base::Result<OpenedQuestion> OpenQuestion(const AskRequest& request, open::Notes& notes) {
  OpenedQuestion question;
  question.repro = CULPRIT_TRY(OpenForQuery({.file = request.file, .compiler = request.compiler}, notes));
  repro::Header& header = question.repro.header;
  if (!request.compiler.backend) CULPRIT_TRY(CheckIsQuestion(header, request.file));
  // Wherever the worker is.
  header.backend = check::AbsoluteBackend(header.backend);
  check::Stamp(header);
  question.expected = CULPRIT_TRY(ExpectationOf(header, request.match));
  question.limits = request.compiler.limits(header);
  return question;
}

base::Result<check::QuestionReply> AskFreshWorkers(const std::shared_ptr<Workers>& workers,
                                                   const OpenedQuestion& question) {
  check::IsolatedQuery query(Workers::RunIn(workers, Workers::Fresh::kYes), question.limits);
  const check::AskOnce ask = [&](const repro::Repro& repro) { return query.Ask(repro); };
  return check::AskRepeatedly(ask, question.repro, question.expected);
}

}  // namespace culprit::tasks
