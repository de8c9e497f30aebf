// SPDX-License-Identifier: Apache-2.0
//
// One file, from opening it to the report about the smallest program that fails in the same way.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/minify_options.h"
#include "cli/minify_question.h"
#include "cli/progress_line.h"
#include "cli/resumed_run.h"
#include "hunt/minify_repro.h"
#include "hunt/report.h"

namespace culprit::cli {

enum class Purpose : uint8_t {
  /// Is there a failure? If so, which?
  kHunt,
  /// There is one, perhaps recorded in the file.
  kMinify,
};

/// The error for a command line and a file that name no compiler.
base::Diagnostic NoCompiler(const MinifyOptions& options);

class MinifyJob {
 public:
  /// Both have to outlive the job.
  MinifyJob(MinifyQuestion& question, const MinifyOptions& options)
      : question_(&question), options_(&options) {}

  /// Opens the file and finds the first set of inputs that fails. Quickly: in one run each.
  base::Result<check::Character> Check(Purpose purpose, bool quickly = false);
  size_t operators() const { return repro_.graph.nodes().size(); }

  /// What was found. An error says what is left of it, and what to type next.
  base::Result<hunt::Report> Minify();
  /// Goes on with a run, whose options are the job's.
  base::Result<hunt::Report> Resume(const ResumedRun& run);

 private:
  base::Status Open();
  base::Result<check::Character> FindFailure(bool quickly);
  base::Result<hunt::Plan> MakePlan();
  base::Result<hunt::Report> Search(hunt::MinifyRepro job);
  std::string NameOfRun() const;

  MinifyQuestion* question_;
  const MinifyOptions* options_;
  ProgressLine progress_;
  repro::Repro repro_;
  hunt::Sources sources_;
  check::Character character_;
};

}  // namespace culprit::cli
