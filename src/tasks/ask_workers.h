// SPDX-License-Identifier: Apache-2.0
//
// The question of tasks/ask.h, put to workers: the file is opened in this process, once, and travels.
#pragma once

#include "tasks/ask.h"
#include "tasks/workers.h"

namespace culprit::tasks {

struct OpenedQuestion {
  repro::Repro repro;
  check::Expectation expected;
  isolate::Limits limits;
};

/// A file from a stranger is opened in a child first (Children::Load).
base::Result<OpenedQuestion> OpenQuestion(const AskRequest& request, open::Notes& notes);

/// Every query in a worker that is a new process for it.
base::Result<check::QuestionReply> AskFreshWorkers(const std::shared_ptr<Workers>& workers,
                                                   const OpenedQuestion& question);

}  // namespace culprit::tasks
