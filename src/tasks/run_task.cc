// SPDX-License-Identifier: Apache-2.0
#include "tasks/run_task.h"

#include <fmt/format.h>

#include <filesystem>

#include "backend/insight.h"
#include "check/query/in_python.h"
#include "check/query/query.h"
#include "check/query/sample_inputs.h"
#include "check/query/stamp.h"
#include "check/verdict/sign.h"
#include "isolate/query/task.h"
#include "open/load_for_query.h"
#include "repro/write_repro.h"

namespace culprit::tasks {
namespace {

using base::Result;

/// Writes the repro with the failure that it has shown, and with what the failure depends on.
base::Status Record(repro::Repro repro, const std::string& signature, int repeats, const std::string& path,
                    open::Notes& notes) {
  repro::Header& header = repro.header;
  header.expected = signature;
  header.backend = check::AbsoluteBackend(header.backend);
  if (repeats > 1) header.settings[repro::kRepeatsSetting] = std::to_string(repeats);
  check::Stamp(header);
  CULPRIT_TRY(repro::WriteRepro(path, repro, {.compiled_in_python = check::CompiledInPython(repro)}));
  notes.push_back(fmt::format("note: wrote the failure to {}", path));
  return base::Done{};
}

/// What is compiled again, as for a second look at noise, is there once; another graph gets another name.
void AddInsight(std::map<std::string, std::string>& insight, const std::string& name,
                const std::string& text) {
  const std::filesystem::path file(name);
  std::string free = name;
  for (int again = 2; insight.contains(free) && insight.at(free) != text; ++again)
    free = fmt::format("{}_{}{}", file.stem().string(), again, file.extension().string());
  insight.emplace(free, text);
}

Result<RunAnswer> RunWithCompiler(repro::ReadRepro read, const RunRequest& request, open::Notes& notes) {
  const LoadRequest& load = request.load;
  repro::Repro repro =
      CULPRIT_TRY(open::LoadForQuery(std::move(read), load.file, load.compiler, load.judge.seed, notes));
  repro = CULPRIT_TRY(check::WithSample(repro, load.sample));
  load.compiler.Remember(repro.header);
  std::map<std::string, std::string> insight;
  std::optional<backend::InsightScope> scope;
  if (request.wants_insight)
    scope.emplace([&](const std::string& name, const std::string& text) { AddInsight(insight, name, text); });
  RunAnswer answer;
  if (request.only_compiles) {
    // What it throws is no news: another run has shown it.
    static_cast<void>(check::OnlyCompile(repro));
    answer.insight = std::move(insight);
    return answer;
  }
  answer.compiled = CULPRIT_TRY(check::RunCompiled(repro, load.sample));
  answer.insight = std::move(insight);
  const auto& failure = answer.compiled->finding.failure;
  if (!failure || request.record.empty()) return answer;
  const base::Status recorded = Record(repro, failure->ToJson(), /*repeats=*/1, request.record, notes);
  if (!recorded.ok()) answer.record_error = recorded.error();
  return answer;
}

Result<RunAnswer> Judge(const repro::Repro& repro, check::FailingNode& failing_node,
                        const RunRequest& request) {
  const check::Judgement judgement =
      check::JudgeAgainstFp64(repro, request.load.judge.tolerance, &failing_node);
  const check::CheckResult& check = judgement.check;
  if (check.status == check::CheckStatus::kReferenceFailed)
    return failing_node.Describe(check.failure.value());
  if (check.status == check::CheckStatus::kNoFp64)
    return base::Diagnostic{{request.load.file.shown_file()}, check.message};
  return RunAnswer{.judged = judgement};
}

Result<RunAnswer> RunInEager(repro::ReadRepro read, const RunRequest& request, open::Notes& notes) {
  std::vector<uint32_t> node_lines = read.script.node_lines;
  const open::FileRequest& file = request.load.file;
  const repro::Repro repro =
      CULPRIT_TRY(open::LoadInputs(std::move(read), file, request.load.judge.seed, notes));
  isolate::AnnouncePhase(check::kEagerPhase);
  check::FailingNode failing_node(repro.graph, file.shown_file(), std::move(node_lines));
  if (repro.header.accuracy.value_or(repro::Accuracy::kOff) != repro::Accuracy::kOff)
    return Judge(repro, failing_node, request);
  const auto distant = request.fp64 ? check::Distant::kFromFp64 : check::Distant::kNo;
  return RunAnswer{.eager = CULPRIT_TRY(check::RunEager(repro, failing_node, distant, file.shown_file()))};
}

}  // namespace

Result<RunAnswer> RunFile(const RunRequest& request, open::Notes& notes) {
  isolate::AnnouncePhase(check::kLoadPhase);
  const LoadRequest& load = request.load;
  repro::ReadRepro read = CULPRIT_TRY(open::OpenFile(load.file, notes, load.compiler.trust));
  // Whoever wants to see the distances does not want a verdict, even if the file asks for one.
  if (request.fp64) read.header.accuracy = repro::Accuracy::kOff;
  load.judge.Apply(read.header);
  CULPRIT_TRY(load.compiler.Apply(read.header, load.file.shown_file()));
  const bool compiles = open::NamesCompiler(read.header) || load.compiler.backend;
  return compiles ? RunWithCompiler(std::move(read), request, notes)
                  : RunInEager(std::move(read), request, notes);
}

Result<RecordAnswer> RecordFailure(const RecordRequest& request, open::Notes& notes) {
  isolate::AnnouncePhase(check::kLoadPhase);
  repro::Repro repro = CULPRIT_TRY(OpenForQuery(request.load, notes));
  request.load.compiler.Remember(repro.header);
  CULPRIT_TRY(Record(std::move(repro), request.signature, request.repeats, request.path, notes));
  return RecordAnswer{};
}

}  // namespace culprit::tasks
