// SPDX-License-Identifier: Apache-2.0
//
// What is hunted in: the graph of a file with its inputs, as the request wants it.
#pragma once

#include "base/result.h"
#include "hunt/request/hunt_request.h"
#include "hunt/request/listener.h"
#include "hunt/result/sources.h"
#include "repro/repro.h"
#include "tasks/children.h"

namespace culprit::hunt {

struct Target {
  repro::Repro repro;
  Sources sources;
};

/// The error for a request and a file that name no compiler.
base::Diagnostic NoCompiler(const HuntRequest& request);

/// A child with limits opens the file before this process does: it may come from a stranger.
base::Status CheckOpens(const HuntRequest& request, const tasks::Children& children, Listener& listener);

/// Opens it in this process. The lines of a file that is gone when the hunt is done are not told.
enum class Lines : uint8_t { kOfFile, kOfModel };
base::Result<Target> OpenTarget(const HuntRequest& request, Lines lines, Listener& listener);

}  // namespace culprit::hunt
