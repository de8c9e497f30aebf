// SPDX-License-Identifier: Apache-2.0
//
// The values of a program as capture sees them. Tensors become fakes, lists and dicts become copies that hold
// fakes, so that the walk can change them without the program noticing; objects stay themselves, since their
// attributes are looked at one by one (capture_effects.h). Everything that is looked at leaves a guard.
//
//   real value + source   =>   shadow, a guard for the source
//
// What is one object in the program is one shadow: two sources of one list share its copy, and the second
// one's guard says so.
#pragma once

#include <ATen/core/ivalue.h>

#include <unordered_map>
#include <vector>

#include "capture/guards/guard.h"
#include "capture/walk/other_sizes.h"
#include "graph/fake/world.h"

namespace culprit::capture {

/// A list or dict of the program, and its copy with what the copy held in the beginning.
struct Copied {
  SourceId source;
  c10::IValue shadow;
  std::vector<c10::IValue> keys;
  std::vector<c10::IValue> values;
};

class Shadow {
 public:
  Shadow(graph::fake::World& world, OtherSizes other) : world_(&world), other_(std::move(other)) {}

  c10::IValue Of(const c10::IValue& real, GuardSource source);

  /// Where a shadow comes from; nothing for what the walk has made itself, and for numbers.
  std::optional<SourceId> SourceOf(const c10::IValue& shadow) const;

  const std::vector<Guard>& guards() const { return guards_; }
  std::vector<Guard> TakeGuards() { return std::move(guards_); }
  const std::vector<Copied>& copied() const { return copied_; }
  const GuardSource& source(SourceId id) const { return guards_[Index(id)].source; }

 private:
  SourceId Expect(GuardSource source, ExpectedValue expected);
  /// Whoever is next gets this one.
  SourceId NextSource() const { return SourceId(guards_.size()); }
  c10::IValue OfConstant(const c10::IValue& real, GuardSource source);
  c10::IValue OfTensor(const c10::IValue& real, GuardSource source);
  c10::IValue OfList(const c10::IValue& real, const GuardSource& source);
  c10::IValue OfDict(const c10::IValue& real, const GuardSource& source);
  c10::IValue OfTuple(const c10::IValue& real, const GuardSource& source);
  c10::IValue Remember(const c10::IValue& real, const c10::IValue& shadow, SourceId source);

  graph::fake::World* world_;
  const OtherSizes other_;
  std::vector<Guard> guards_;
  std::vector<Copied> copied_;
  struct Known {
    c10::IValue shadow;
    SourceId source;
  };
  /// By the identity of the real value.
  std::unordered_map<const void*, Known> known_;
  /// By the identity of the shadow.
  std::unordered_map<const void*, SourceId> sources_;
};

/// What is the same whenever it is equal, and cannot change.
bool IsConstant(const c10::IValue& value);

}  // namespace culprit::capture
