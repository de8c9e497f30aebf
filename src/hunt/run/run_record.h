// SPDX-License-Identifier: Apache-2.0
//
// Writes down what a search does: the trace, the smallest repro, the steps on the way, other finds. After a
// write that fails nothing more is written, and the search has to stop, since what it finds would be lost;
// what was written stays.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "hunt/run/minify_repro.h"

namespace culprit::hunt {

class RunRecord {
 public:
  /// Writes the original, or goes on behind what the trace has. The job has to outlive the record.
  static base::Result<RunRecord> Begin(const MinifyRepro& job);

  void Answer(const minify::Asked& asked, double seconds);
  /// While a search is taken up again it comes through steps that are on disk already.
  void Smaller(const minify::Smaller& smaller);

  /// Of the first write that failed.
  const std::optional<base::Diagnostic>& error() const { return error_; }

  const std::vector<Find>& finds() const { return finds_; }
  /// The files of the steps, in order.
  const std::vector<std::string>& steps() const { return steps_; }

 private:
  RunRecord(const MinifyRepro& job, TraceWriter trace) : job_(&job), trace_(std::move(trace)) {}
  base::Status WriteStep(const minify::Smaller& smaller);
  base::Status WriteFind(const minify::Asked& asked);
  base::Status WriteAnswer(const minify::Asked& asked, double seconds);
  void Note(const base::Status& status);

  const MinifyRepro* job_;
  TraceWriter trace_;
  std::vector<Find> finds_;
  std::vector<std::string> steps_;
  size_t steps_passed_ = 0;
  std::optional<base::Diagnostic> error_;
};

/// The program as a repro of the job, with the failure that it has.
repro::Repro ReproWith(const MinifyRepro& job, const minify::Program& program,
                       const backend::FailureSignature& failure);

/// The program of the job as it is. What the file says about itself depends on its name.
base::Status WriteOriginal(const MinifyRepro& job, const std::string& path);

}  // namespace culprit::hunt
