// SPDX-License-Identifier: Apache-2.0
#include "tasks/plain_task.h"

#include "check/query/in_python.h"

namespace culprit::tasks {

base::Result<PlainAnswer> WriteInPlainCalls(const LoadRequest& request, open::Notes& notes) {
  const repro::Repro repro = CULPRIT_TRY(OpenForQuery(request, notes));
  const std::optional<backend::PlainProgram> program = check::InPlainCalls(request.file.file, repro);
  if (!program) return PlainAnswer{};
  return PlainAnswer{program->text, program->fails_so, program->said};
}

}  // namespace culprit::tasks
