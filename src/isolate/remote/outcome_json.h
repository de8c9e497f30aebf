// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isolate/query/limits.h"
#include "isolate/query/outcome.h"
#include "isolate/remote/parcel.h"

namespace culprit::isolate {

ParcelHead LimitsToJson(const Limits& limits);
/// Throws nlohmann's exceptions: limits come from whoever started this process.
Limits LimitsFromJson(const ParcelHead& object);

/// The bytes of a result are the body; it must have no attachments.
Parcel OutcomeToParcel(const Outcome& outcome);
/// Of a worker that may send anything.
base::Result<Outcome> OutcomeFromParcel(Parcel parcel);

}  // namespace culprit::isolate
