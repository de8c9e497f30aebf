// SPDX-License-Identifier: Apache-2.0
//
// Which kept values one kernel computes. The values of a group are computed in loops over the group's
// variables; each knows which of them its own variables are:
//
//   x[1024, 768]     max: x -> [1024, 1]     sub_exp: [1024, 768]     sum: -> [1024, 1]
//   variables        0 < 1024 (outer), 1 < 768
//   stage 0          max over 1
//   stage 1          sum over 1, and sub_exp in the same loop, if somebody wants it
//
// Outer variables are those that no reduction of the group reduces. Without a reduction all are.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "compiler/loops/loop_program.h"
#include "compiler/schedule/fuse/resolve.h"

namespace culprit::compiler::schedule {

/// For a variable that goes to 1: it is always 0.
constexpr uint32_t kNoVariable = UINT32_MAX;

struct Member {
  loops::ValueIndex value = {};
  /// Of the group: for each variable of the value's loop.
  std::vector<uint32_t> variables;
  uint32_t stage = 0;
};

struct GroupStage {
  /// That are not outer ones, ascending.
  std::vector<uint32_t> variables;
  /// Index into members: the one reduction or scan.
  std::optional<size_t> combining = std::nullopt;
};

struct Group {
  std::vector<int64_t> extents;
  /// Ascending; nothing while there is no reduction.
  std::optional<std::vector<uint32_t>> outer = std::nullopt;
  std::vector<Member> members;
  std::vector<GroupStage> stages;

  const Member* Find(loops::ValueIndex value) const;
};

struct Grouping {
  /// In no order.
  std::vector<Group> groups;
  /// Of each value that is kept.
  std::vector<std::optional<uint32_t>> group_of;
};

/// `applies` is asked for each value that could join a group.
Grouping MakeGroups(const loops::LoopProgram& program, const Resolved& resolved,
                    const std::function<bool()>& applies);

}  // namespace culprit::compiler::schedule
