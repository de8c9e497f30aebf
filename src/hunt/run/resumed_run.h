// SPDX-License-Identifier: Apache-2.0
//
// The folder of a run that `culprit minify --resume` goes on with. It may come from a stranger, and its trace
// may name a judge, which is a program: that is started only if the user trusts the folder or names the same
// program.
#pragma once

#include "hunt/request/hunt_request.h"
#include "hunt/run/trace.h"
#include "repro/run_folder.h"

namespace culprit::hunt {

struct ResumedRun {
  repro::RunFolder folder;
  ReadTrace trace;
  /// About the original of the run, with its judge.
  HuntRequest request;
};

base::Result<ResumedRun> OpenRun(const HuntRequest& request);

}  // namespace culprit::hunt
