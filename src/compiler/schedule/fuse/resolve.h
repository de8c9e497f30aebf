// SPDX-License-Identifier: Apache-2.0
//
// Which values of a program get a loop of their own, and what their loops are when all others have been put
// into those that use them:
//
//   mul = x * 2        used once            ->  inside of sum
//   t   = view of mul                       ->  another way to count
//   sum = sum of t     a reduction          ->  kept: sum over ... of x[i1, i0] * 2
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "compiler/loops/loop_program.h"
#include "compiler/schedule/index/affine.h"

namespace culprit::compiler::schedule {

enum class Placement : uint8_t {
  kUnused,
  /// There before anything runs.
  kGiven,
  /// Its operator is called.
  kCalled,
  /// Computed by a kernel, from kept, given and called values.
  kKept,
  /// Part of the loops that use it.
  kInlined,
};

struct Resolved {
  std::vector<Placement> placements;
  /// Somebody wants it in memory: an operator that is called, or the caller.
  std::vector<bool> in_memory;
  /// Of kept values. They rely on what those rely on that were put into them.
  std::vector<std::optional<loops::Loop>> loops;
  /// Of kept values: those that were put into them.
  std::vector<std::set<loops::ValueIndex>> inlined;
};

struct ResolveOptions {
  /// Asked for each value that could be put into others.
  std::function<bool()> applies;
  NumberWriter numbers = {};
};

Resolved Resolve(const loops::LoopProgram& program, const ResolveOptions& options);

/// Fills in the loop of one value, as the placements of the others say.
void ResolveLoop(const loops::LoopProgram& program, loops::ValueIndex value, NumberWriter numbers,
                 Resolved& resolved);

/// Of a value's own variables and those it reduces.
std::vector<int64_t> ExtentsOf(const loops::Value& value, const loops::Loop& loop);

}  // namespace culprit::compiler::schedule
