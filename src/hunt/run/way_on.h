// SPDX-License-Identifier: Apache-2.0
//
// What a user types to go on with a run.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "hunt/request/hunt_request.h"
#include "hunt/run/minify_repro.h"

namespace culprit::hunt {

/// How workers are started, for a command that goes on; empty if there are none.
std::string OptionsForWorkers(const HuntRequest& request);

/// The command that goes on with a run; options and judge as Report has them.
std::string ResumeCommand(const std::string& folder, const std::string& options, const std::string& judge);

/// As in " --load-library mine.so". A compiler that a file may not ask for by itself is named, too.
std::string OptionsForCommands(const HuntRequest& request, const repro::Header& header);

/// Adds to the error that stopped a search where its results are, and the command that resumes it.
base::Diagnostic WithWayOn(base::Diagnostic error, const MinifyRepro& job);

}  // namespace culprit::hunt
