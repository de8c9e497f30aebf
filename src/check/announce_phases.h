// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace culprit::check {

/// Tells the process that watches this one what a check does next (isolate/task.h), and how long the first
/// run of eager took: how much a query takes by nature, by which its limits may grow.
std::function<void(std::string_view)> AnnouncePhases();

}  // namespace culprit::check
