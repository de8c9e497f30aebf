// SPDX-License-Identifier: Apache-2.0
//
// Kinds of failures as users write them, and sets of them. Case does not matter, nor whether words are joined
// by blanks, hyphens or underscores: "wrong values", wrong-values; aliasing,NaN.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backend/failure/failure_signature.h"
#include "base/result.h"

namespace culprit::backend {

using FailureKinds = std::set<FailureKind>;

/// As they are written without blanks: "wrong-values".
std::vector<std::string> NamesOfFailureKinds();

/// The error names the nearest kind that exists.
base::Result<FailureKind> ParseFailureKind(std::string_view name);

/// With commas between them; empty for none.
base::Result<FailureKinds> ParseFailureKinds(std::string_view names);
std::string FailureKindsToString(const FailureKinds& kinds);

}  // namespace culprit::backend
