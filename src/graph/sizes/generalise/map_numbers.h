// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "graph/ir/argument.h"
#include "graph/sizes/worlds/numbers.h"

namespace culprit::graph::sizes {

struct NumberMap {
  /// What stands for a number that is not the same everywhere. A float counts if it is a whole number
  /// everywhere.
  std::function<Argument(const Samples& samples, bool is_float)> number;
  /// What stands for a value or constant that is.
  std::function<Argument(const Argument&)> same = [](const Argument& argument) { return argument; };
};

/// One argument in several worlds as one. Nothing if they differ in more than numbers.
std::optional<Argument> MapNumbers(const std::vector<const Argument*>& worlds, const NumberMap& map);

}  // namespace culprit::graph::sizes
