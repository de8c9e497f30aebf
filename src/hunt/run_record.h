// SPDX-License-Identifier: Apache-2.0
//
// Writes down what a search does: the trace, the smallest repro, the steps on the way, other finds. A write
// that fails is reported once; the search goes on, and what was written stays.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "hunt/minify_repro.h"

namespace culprit::hunt {

class RunRecord {
 public:
  /// Writes the original, or goes on behind what the trace has. The job has to outlive the record.
  static base::Result<RunRecord> Begin(const MinifyRepro& job);

  void Answer(const minify::Asked& asked, double seconds);
  /// While a search is taken up again it comes through steps that are on disk already.
  void Smaller(const minify::Smaller& smaller);

  const std::vector<Find>& finds() const { return finds_; }
  /// The files of the steps, in order.
  const std::vector<std::string>& steps() const { return steps_; }

 private:
  RunRecord(const MinifyRepro& job, TraceWriter trace) : job_(&job), trace_(std::move(trace)) {}
  base::Status WriteStep(const minify::Smaller& smaller);
  base::Status WriteFind(const minify::Asked& asked);
  void Warn(const base::Status& status);

  const MinifyRepro* job_;
  TraceWriter trace_;
  std::vector<Find> finds_;
  std::vector<std::string> steps_;
  size_t steps_passed_ = 0;
  bool has_warned_ = false;
};

/// The program as a repro of the job, with the failure that it has.
repro::Repro ReproWith(const MinifyRepro& job, const minify::Program& program,
                       const backend::FailureSignature& failure);

}  // namespace culprit::hunt
