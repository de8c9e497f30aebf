// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace culprit::cli {

/// The exit code of the work. What it throws is an error of this program, unless memory or the like has run
/// out.
int RunGuarded(const std::function<int()>& work);

}  // namespace culprit::cli
