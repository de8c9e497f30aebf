// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace culprit::check {

/// For a check in a process of its own. Tells the process that watches this one what comes next
/// (isolate/query/task.h), and how long the first run of eager took: how much a query takes by nature, by
/// which its limits may grow. What the last phase has freed is given back before the next one begins.
std::function<void(std::string_view)> AnnouncePhases();

}  // namespace culprit::check
