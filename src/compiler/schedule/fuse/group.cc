// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/fuse/group.h"

#include <algorithm>

#include "compiler/schedule/fuse/dependencies.h"
#include "compiler/schedule/fuse/join.h"

namespace culprit::compiler::schedule {
namespace {

using loops::ValueIndex;

class Grouper {
 public:
  Grouper(const loops::LoopProgram& program, const Resolved& resolved, const std::function<bool()>& applies)
      : program_(program), resolved_(resolved), applies_(applies), readers_(program.values.size()) {
    grouping_.group_of.resize(program.values.size());
    for (uint32_t i = 0; i < program.values.size(); ++i)
      dependencies_.push_back(DirectDependencies(program, resolved, ValueIndex{i}));
  }

  Grouping Run() {
    for (uint32_t i = 0; i < program_.values.size(); ++i)
      if (resolved_.placements[i] == Placement::kKept) Place(ValueIndex{i});
    return std::move(grouping_);
  }

 private:
  void Place(ValueIndex value) {
    std::optional<uint32_t> group = JoinOne(value);
    if (!group) {
      group = static_cast<uint32_t>(grouping_.groups.size());
      grouping_.groups.push_back(MakeGroup(program_, resolved_, value));
    }
    grouping_.group_of[Index(value)] = group;
    for (const ValueIndex source : dependencies_[Index(value)]) readers_[Index(source)].push_back(*group);
  }

  std::optional<uint32_t> JoinOne(ValueIndex value) {
    for (const uint32_t group : Candidates(value)) {
      if (DependOn(grouping_, dependencies_, dependencies_[Index(value)], group)) continue;
      Group joined = grouping_.groups[group];
      if (!Join(program_, resolved_, value, joined) || !applies_()) continue;
      grouping_.groups[group] = std::move(joined);
      return group;
    }
    return std::nullopt;
  }

  // First those that compute what it loads, then those that load the same; the latest first.
  std::vector<uint32_t> Candidates(ValueIndex value) const {
    std::vector<uint32_t> makers;
    std::vector<uint32_t> readers;
    for (const ValueIndex source : dependencies_[Index(value)]) {
      if (const auto group = grouping_.group_of[Index(source)]) makers.push_back(*group);
      readers.insert(readers.end(), readers_[Index(source)].begin(), readers_[Index(source)].end());
    }
    std::ranges::sort(makers, std::ranges::greater());
    std::ranges::sort(readers, std::ranges::greater());
    makers.insert(makers.end(), readers.begin(), readers.end());
    std::vector<uint32_t> candidates;
    for (const uint32_t group : makers)
      if (std::ranges::count(candidates, group) == 0 && candidates.size() < kMostCandidates)
        candidates.push_back(group);
    return candidates;
  }

  static constexpr size_t kMostCandidates = 8;

  const loops::LoopProgram& program_;
  const Resolved& resolved_;
  const std::function<bool()>& applies_;
  std::vector<std::vector<ValueIndex>> dependencies_;
  /// Which groups load a value.
  std::vector<std::vector<uint32_t>> readers_;
  Grouping grouping_;
};

}  // namespace

const Member* Group::Find(ValueIndex value) const {
  const auto found = std::ranges::find(members, value, &Member::value);
  return found == members.end() ? nullptr : &*found;
}

Grouping MakeGroups(const loops::LoopProgram& program, const Resolved& resolved,
                    const std::function<bool()>& applies) {
  return Grouper(program, resolved, applies).Run();
}

}  // namespace culprit::compiler::schedule
