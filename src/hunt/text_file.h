// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace culprit::hunt {

base::Result<std::string> ReadText(const std::string& path);

}  // namespace culprit::hunt
