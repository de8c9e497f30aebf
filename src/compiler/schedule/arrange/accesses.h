// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compiler/loops/kernel.h"
#include "compiler/schedule/index/affine.h"

namespace culprit::compiler::schedule {

/// Where a kernel touches memory.
struct Accesses {
  /// Places that are sums of multiples of variables.
  std::vector<Affine> affine;
  /// By variable: it is used in another way, too.
  std::vector<bool> is_used_otherwise;

  /// Of each affine place: how many elements it comes to, and whether they are stored there.
  std::vector<double> elements;
  std::vector<bool> is_stored;

  /// Of how many elements the places lie one behind the other when the variable goes on.
  double Neighbours(uint32_t variable) const;
  /// Of how many that are stored.
  double StoredNeighbours(uint32_t variable) const;
  /// How far places move all together when it does, each counted by its elements.
  double Distance(uint32_t variable) const;
};

Accesses AccessesOf(const loops::Kernel& kernel);

}  // namespace culprit::compiler::schedule
