// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

#include "backend/failure_signature.h"
#include "check/outcome.h"
#include "watch/session.h"

namespace culprit::watch {

/// The exception that is being handled.
struct ThrownNow {
  /// What the compiler, or what it made, has thrown.
  check::Failure failure;
  /// A report of it exists: it was told further down.
  bool is_reported = false;
  /// A watcher further down, which need not be an active one, has thrown it because a compilation failed.
  bool is_counted = false;
  /// One of Culprit's own, which is no failure of a compiler.
  bool is_internal = false;
};

/// It has been told already, or is for nobody to tell at this point.
bool IsDone(const ThrownNow& now, const Session& session, bool is_active);

/// In a handler. `phase` is what was being done; what was thrown because a compilation failed says so itself.
ThrownNow DescribeThrown(check::Phase phase);

backend::FailureSignature SignatureOf(const check::Failure& failure);

}  // namespace culprit::watch
