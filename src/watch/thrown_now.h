// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

#include "backend/failure_signature.h"
#include "check/outcome.h"

namespace culprit::watch {

/// The exception that is being handled.
struct ThrownNow {
  /// What the compiler, or what it made, has thrown.
  check::Failure failure;
  /// A Failure (culprit/errors.h) from further down.
  bool is_failure = false;
  /// One of Culprit's own, which is no failure of a compiler.
  bool is_internal = false;
};

/// In a handler. `phase` is what was being done; what was thrown because a compilation failed says so itself.
ThrownNow DescribeThrown(check::Phase phase);

backend::FailureSignature SignatureOf(const check::Failure& failure);

}  // namespace culprit::watch
