// SPDX-License-Identifier: Apache-2.0
#include "hunt/oracle/isolated_check.h"

#include "repro/header/note_parameters.h"

namespace culprit::hunt {

repro::Repro ReproOf(const minify::Program& program, const repro::Header& header) {
  repro::Repro repro{program.graph, program.inputs, header};
  repro.header.random.clear();
  repro::NoteParameters(repro.graph, repro.header);
  return repro;
}

IsolatedCheck::IsolatedCheck(check::RunQueryRequest run, const isolate::Limits& limits, repro::Header header,
                             check::Expectation expected)
    : query_(std::move(run), limits), header_(std::move(header)), expected_(std::move(expected)) {}

minify::Reply IsolatedCheck::Ask(const minify::Program& program) {
  const check::AskOnce ask = [&](const repro::Repro& repro) { return query_.Ask(repro); };
  base::Result<check::QuestionReply> reply = check::AskRepeatedly(ask, ReproOf(program, header_), expected_);
  if (!reply.ok()) return Break(reply.error());
  return {std::move(reply->verdict), std::move(reply->finding.wrong_outputs)};
}

}  // namespace culprit::hunt
