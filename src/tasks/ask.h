// SPDX-License-Identifier: Apache-2.0
//
// The question about a file: does it still fail as it records? In children of this process, or, as a proof,
// in a program that is started anew for it.
#pragma once

#include "backend/failure/match.h"
#include "check/question/question.h"
#include "tasks/children.h"

namespace culprit::tasks {

struct AskRequest {
  open::FileRequest file;
  open::CompilerRequest compiler;
  backend::MatchMode match = backend::kDefaultMatchMode;
};

/// Expects the failure that the header records; if it records none, any failure.
base::Result<check::Expectation> ExpectationOf(const repro::Header& header, backend::MatchMode match);

/// An error if the file names neither a compiler nor a failure; the header is as the user wants it.
base::Status CheckIsQuestion(const repro::Header& header, const open::FileRequest& file);

/// One run of the file with its compiler, in a child whose death is a finding, too, unless it was opening the
/// file. An error if there is nothing to ask.
base::Result<check::Finding> FindingOf(const Children& children, const RunRequest& request,
                                       const isolate::Limits& limits, const backend::FailureKinds& ignored);

/// A file that records no failure is asked whether it fails at all.
base::Result<check::QuestionReply> Ask(const Children& children, const AskRequest& request);

/// The same in a fresh program. An error if it does not come to its end.
base::Result<check::QuestionReply> AskFreshProgram(const AskRequest& request);

/// The fresh program's part: takes one request from a descriptor and writes the answer to another.
base::Status AnswerOneRequest(int in, int out);

}  // namespace culprit::tasks
