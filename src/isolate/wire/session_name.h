// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace culprit::isolate {

/// A name that this process shares with all that it forks, and that nobody else can guess. Processes of one
/// run find each other by it.
const std::string& SessionName();

}  // namespace culprit::isolate
