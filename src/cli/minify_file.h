// SPDX-License-Identifier: Apache-2.0
//
// What `hunt` and `minify` do with one file: from a graph to the smallest program that fails in the same way.
#pragma once

#include "cli/minify_job.h"

namespace culprit::cli {

/// Gives the exit code.
int MinifyFile(const MinifyOptions& options, Purpose purpose);
int ResumeMinify(const MinifyOptions& options);

}  // namespace culprit::cli
