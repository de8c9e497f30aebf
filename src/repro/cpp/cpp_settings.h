// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "repro/header/run_settings.h"

namespace culprit::repro {

/// Two-space indented lines that make the settings hold until the end of their block; `draws` says whether
/// the state of the random generator matters.
std::string CppSettings(const RunSettings& settings, bool draws);

}  // namespace culprit::repro
