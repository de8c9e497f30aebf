// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

#include "backend/failure/failure_signature.h"
#include "check/model/run_end.h"

namespace culprit::watch {

/// The exception that is being handled.
struct ThrownNow {
  /// What the compiler, or what it made, has thrown.
  check::RunFailure failure;
  /// A Failure (culprit/errors.h) from further down.
  bool is_failure = false;
  /// One of Culprit's own, or a request to the program: no failure of a compiler.
  bool is_internal = false;
};

/// In a handler. `phase` is what was being done; what was thrown because a compilation failed says so itself.
ThrownNow DescribeThrown(check::Phase phase);

/// A failure that a check has met. A backward graph that cannot be compiled is a failure to compile for the
/// program, and one of the backward pass for everybody who watches nothing, as whoever runs the repro.
struct MetFailure {
  ThrownNow now;
  backend::FailureSignature signature;
};
MetFailure DescribeMet(const check::RunFailure& met);

backend::FailureSignature SignatureOf(const check::RunFailure& failure);

}  // namespace culprit::watch
