// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace culprit::open {

/// What a user should know although nothing failed, in the order in which it was noticed: "note: ...", or a
/// warning as base::Diagnostic renders it. No line break at the end.
using Notes = std::vector<std::string>;

}  // namespace culprit::open
