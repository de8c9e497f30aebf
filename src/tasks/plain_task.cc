// SPDX-License-Identifier: Apache-2.0
#include "tasks/plain_task.h"

#include "check/query/in_python.h"

namespace culprit::tasks {

base::Result<backend::PlainProgram> WriteInPlainCalls(const LoadRequest& request, open::Notes& notes) {
  const repro::Repro repro = CULPRIT_TRY(OpenForQuery(request, notes));
  return check::InPlainCalls(request.file.file, repro).value_or(backend::PlainProgram());
}

}  // namespace culprit::tasks
