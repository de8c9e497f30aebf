// SPDX-License-Identifier: Apache-2.0
#include "tasks/read_task.h"

#include "check/query/sample_inputs.h"
#include "check/verdict/sign.h"
#include "graph/analysis/structural_hash.h"
#include "graph/text/script/script.h"
#include "isolate/query/task.h"
#include "open/load_for_query.h"

namespace culprit::tasks {

base::Result<ReadAnswer> ReadFile(const ReadRequest& request, open::Notes& notes) {
  const repro::ReadRepro read = CULPRIT_TRY(open::OpenFile(request.file, notes));
  ReadAnswer answer{.name = read.script.graph.name()};
  switch (request.what) {
    case ReadWhat::kText:
      answer.text = CULPRIT_TRY(graph::text::PrintScript(read.script));
      break;
    case ReadWhat::kStatistics:
      answer.hash = graph::StructuralHash(read.script.graph).ToString();
      answer.statistics = graph::ComputeStatistics(read.script.graph);
      break;
    case ReadWhat::kHeader:
      answer.header = repro::HeaderToJson(read.header);
      break;
  }
  return answer;
}

base::Result<repro::Repro> OpenForQuery(const LoadRequest& request, open::Notes& notes) {
  repro::ReadRepro read = CULPRIT_TRY(open::OpenFile(request.file, notes, request.compiler.trust));
  request.judge.Apply(read.header);
  repro::Repro repro = CULPRIT_TRY(
      open::LoadForQuery(std::move(read), request.file, request.compiler, request.judge.seed, notes));
  return check::WithSample(repro, request.sample);
}

base::Result<LoadAnswer> LoadFile(const LoadRequest& request, open::Notes& notes) {
  isolate::AnnouncePhase(check::kLoadPhase);
  const repro::Repro repro = CULPRIT_TRY(OpenForQuery(request, notes));
  return LoadAnswer{open::NamesCompiler(repro.header) || request.compiler.backend.has_value()};
}

}  // namespace culprit::tasks
