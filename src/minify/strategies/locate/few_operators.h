// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "minify/program/subject.h"

namespace culprit::minify::strategies {

/// So few that leaving them out one by one, which is done in the end anyhow, takes no more questions than
/// looking for the guilty ones.
inline bool HasFewOperators(const Subject& subject) {
  return subject.operators() <= 4;
}

}  // namespace culprit::minify::strategies
