// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "minify/strategy.h"

namespace culprit::minify::strategies {

/// In the order in which they are tried.
std::span<const StrategyEntry> AllStrategies();

}  // namespace culprit::minify::strategies
