// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace culprit::api {

/// The setting `log`: nothing, "stderr", or a file that lines are added to. Throws std::invalid_argument if
/// it cannot be written.
std::function<void(const std::string&)> OpenLog(const std::string& where);

}  // namespace culprit::api
