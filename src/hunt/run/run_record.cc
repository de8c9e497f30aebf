// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/run_record.h"

#include <algorithm>
#include <filesystem>

#include "check/query/in_python.h"
#include "hunt/oracle/isolated_check.h"
#include "repro/write_repro.h"

namespace culprit::hunt {
namespace {

/// A compiler that fails in ever new ways must not fill the disk.
constexpr size_t kMostFinds = 20;

std::string RelativeTo(const repro::RunFolder& folder, const std::string& file) {
  return file.substr(folder.path().size() + 1);
}

/// The one of the smaller program, whose operators and numbers it names. A failure that comes and goes is
/// known by more than one answer.
backend::FailureSignature SignatureOf(const minify::Reply& reply, const Plan& plan) {
  const backend::FailureSignature& expected = plan.expected.signature;
  if (expected.kind == backend::FailureKind::kNonDeterministic) return expected;
  return reply.verdict.signature.value_or(expected);
}

base::Result<repro::WrittenRepro> Write(const std::string& path, const repro::Repro& repro) {
  return repro::WriteRepro(path, repro, {.compiled_in_python = check::CompiledInPython(repro)});
}

}  // namespace

repro::Repro ReproWith(const MinifyRepro& job, const minify::Program& program,
                       const backend::FailureSignature& failure) {
  repro::Repro repro = ReproOf(program, job.repro.header);
  // A judge's failures are none that a compiler could be asked about.
  if (job.plan.judge.empty()) repro.header.expected = failure.ToJson();
  if (job.plan.expected.repeats > 1)
    repro.header.settings[repro::kRepeatsSetting] = std::to_string(job.plan.expected.repeats);
  return repro;
}

base::Status WriteOriginal(const MinifyRepro& job, const std::string& path) {
  const minify::Program original{job.repro.graph, job.repro.inputs};
  CULPRIT_TRY(Write(path, ReproWith(job, original, job.plan.expected.signature)));
  return base::Done{};
}

base::Result<RunRecord> RunRecord::Begin(const MinifyRepro& job) {
  if (job.resumed) {
    RunRecord record(job, CULPRIT_TRY(TraceWriter::Append(job.folder.trace(), job.resumed->whole_bytes)));
    record.steps_ = job.resumed->steps;
    record.finds_ = job.resumed->finds;
    return record;
  }
  CULPRIT_TRY(job.folder.MakeFolder("checkpoints"));
  CULPRIT_TRY(job.folder.MakeFolder("finds"));
  CULPRIT_TRY(WriteOriginal(job, job.folder.original()));
  CULPRIT_TRY(WriteOriginal(job, job.folder.repro()));
  return RunRecord(job, CULPRIT_TRY(TraceWriter::Create(job.folder.trace(), job.plan)));
}

void RunRecord::Answer(const minify::Asked& asked, double seconds) {
  if (!error_) Note(WriteAnswer(asked, seconds));
}

void RunRecord::Smaller(const minify::Smaller& smaller) {
  if (++steps_passed_ > steps_.size() && !error_) Note(WriteStep(smaller));
}

base::Status RunRecord::WriteAnswer(const minify::Asked& asked, double seconds) {
  CULPRIT_TRY(trace_.WriteAnswer(asked, seconds));
  const backend::QuestionVerdict& verdict = asked.reply.verdict;
  const bool is_find = verdict.answer == minify::Answer::kOtherFailure && verdict.signature;
  return is_find ? WriteFind(asked) : base::Status(base::Done{});
}

base::Status RunRecord::WriteStep(const minify::Smaller& smaller) {
  const repro::Repro repro = ReproWith(*job_, smaller.program, SignatureOf(smaller.reply, job_->plan));
  const std::string file = job_->folder.checkpoint(steps_.size() + 1, smaller.program.graph.nodes().size());
  const repro::WrittenRepro written = CULPRIT_TRY(Write(job_->folder.repro(), repro));
  CULPRIT_TRY(repro::WriteText(file, written.text));
  steps_.push_back(RelativeTo(job_->folder, file));
  return trace_.WriteSmaller(smaller, steps_.back());
}

base::Status RunRecord::WriteFind(const minify::Asked& asked) {
  const backend::FailureSignature& failure = *asked.reply.verdict.signature;
  const size_t operators = asked.program.graph.nodes().size();
  auto known = std::ranges::find(finds_, failure.ToString(), &Find::signature);
  if (known == finds_.end() && finds_.size() >= kMostFinds) return base::Done{};
  if (known != finds_.end() && known->operators <= operators) return base::Done{};
  const std::string file =
      known != finds_.end() ? job_->folder.path() + "/" + known->file : job_->folder.find(finds_.size() + 1);
  CULPRIT_TRY(Write(file, ReproWith(*job_, asked.program, failure)));
  const Find find{failure.ToString(), operators, RelativeTo(job_->folder, file)};
  if (known == finds_.end()) {
    finds_.push_back(find);
  } else {
    *known = find;
  }
  return trace_.WriteFind(find);
}

void RunRecord::Note(const base::Status& status) {
  if (status.ok()) return;
  error_ = status.error();
  // Whatever it is: a moment ago the folder could be written.
  error_->cause = base::Cause::kEnvironment;
}

}  // namespace culprit::hunt
