// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "check/verdict/sign.h"

namespace culprit::check {

/// One line.
std::string FindingToJson(const Finding& finding);
base::Result<Finding> FindingFromJson(std::string_view text);

}  // namespace culprit::check
