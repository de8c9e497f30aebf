// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/fuse/join.h"

#include <algorithm>

namespace culprit::compiler::schedule {
namespace {

using loops::Expression;
using loops::Loop;
using loops::LoopKind;
using loops::Op;
using loops::ValueIndex;

// Kernels that take more are slow to compile and do not run faster.
constexpr size_t kMostMembers = 24;
// With fewer rows there is nothing to share among threads, so what follows a reduction is better done after
// it.
constexpr int64_t kFewestRows = 8;
constexpr int64_t kSmallEnough = 16384;

std::vector<size_t> CombinedVariables(const loops::Value& value, const Loop& loop) {
  std::vector<size_t> combined;
  if (loop.kind == LoopKind::kScan) combined.push_back(loop.axis);
  for (size_t i = 0; i < loop.reduced.size(); ++i) combined.push_back(value.sizes.size() + i);
  return combined;
}

// Which loop variable each index of a load is; nothing if one is something else. Dimensions of size 1 do not
// matter.
std::optional<std::vector<uint32_t>> PlainIndices(const loops::Body& body, const Expression& load,
                                                  const std::vector<int64_t>& sizes) {
  std::vector<uint32_t> variables;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const Expression& index = body[load.operands[d]];
    if (sizes[d] == 1)
      variables.push_back(kNoVariable);
    else if (index.op == Op::kIndex)
      variables.push_back(static_cast<uint32_t>(index.integer));
    else
      return std::nullopt;
  }
  return variables;
}

class Joining {
 public:
  Joining(const loops::LoopProgram& program, const Resolved& resolved, ValueIndex value, Group group)
      : program_(program),
        resolved_(resolved),
        value_(program[value]),
        loop_(*resolved.loops[Index(value)]),
        extents_(ExtentsOf(value_, loop_)),
        group_(std::move(group)),
        member_{value, std::vector<uint32_t>(extents_.size(), kNoVariable)} {}

  bool Run() {
    if (group_.members.size() >= kMostMembers || ReliesOnMembers() || !MapByMembers()) return false;
    if (!loads_members_ && !MapBySharedLoads()) return false;
    MapTheRest();
    if (!FitOuter()) return false;
    ChooseStage();
    return true;
  }

  Group Alone() && {
    MapTheRest();
    FitOuter();
    ChooseStage();
    return std::move(group_);
  }

  Group Take() && { return std::move(group_); }

 private:
  // What is looked at before a kernel runs cannot be computed by it.
  bool ReliesOnMembers() const {
    return std::ranges::any_of(loop_.preconditions, [&](const loops::Precondition& each) {
      return group_.Find(program_.value_of[graph::Index(each.indices)]) != nullptr;
    });
  }

  bool MapVariable(uint32_t own, uint32_t groups) {
    if (groups == kNoVariable || extents_[own] != group_.extents[groups]) return false;
    uint32_t& mapped = member_.variables[own];
    if (mapped == groups) return true;
    if (mapped != kNoVariable || std::ranges::count(member_.variables, groups) > 0) return false;
    mapped = groups;
    return true;
  }

  bool MapByMembers() {
    for (const Expression& expression : loop_.body.expressions()) {
      if (expression.op != Op::kLoad) continue;
      const Member* member = group_.Find(ValueIndex{static_cast<uint32_t>(expression.integer)});
      if (member == nullptr) continue;
      loads_members_ = true;
      const auto indices = PlainIndices(loop_.body, expression, program_[member->value].sizes);
      if (!indices) return false;
      for (size_t d = 0; d < indices->size(); ++d)
        if ((*indices)[d] != kNoVariable && !MapVariable((*indices)[d], member->variables[d])) return false;
    }
    return true;
  }

  // Two loads of the same value say which variables go together.
  bool MapBySharedLoads() {
    for (const Expression& load : loop_.body.expressions()) {
      if (load.op != Op::kLoad) continue;
      const std::vector<int64_t>& sizes = program_.values[static_cast<size_t>(load.integer)].sizes;
      const auto own = PlainIndices(loop_.body, load, sizes);
      if (!own) continue;
      for (const Member& member : group_.members) {
        const loops::Body& body = resolved_.loops[Index(member.value)]->body;
        for (const Expression& other : body.expressions()) {
          if (other.op != Op::kLoad || other.integer != load.integer) continue;
          const auto theirs = PlainIndices(body, other, sizes);
          if (theirs && MapPairs(*own, *theirs, member)) return true;
        }
      }
    }
    return false;
  }

  bool MapPairs(const std::vector<uint32_t>& own, const std::vector<uint32_t>& theirs, const Member& member) {
    const std::vector<uint32_t> former = member_.variables;
    for (size_t d = 0; d < own.size(); ++d) {
      if (own[d] == kNoVariable || MapVariable(own[d], member.variables[theirs[d]])) continue;
      member_.variables = former;
      return false;
    }
    return true;
  }

  // Those that no load tells about: the group's that are still free, in order, or new ones.
  void MapTheRest() {
    uint32_t next = 0;
    for (uint32_t own = 0; own < extents_.size(); ++own) {
      if (extents_[own] == 1 || member_.variables[own] != kNoVariable) continue;
      while (next < group_.extents.size() && !MapVariable(own, next)) ++next;
      if (member_.variables[own] != kNoVariable) continue;
      member_.variables[own] = static_cast<uint32_t>(group_.extents.size());
      group_.extents.push_back(extents_[own]);
    }
  }

  std::vector<uint32_t> Mapped(bool combined) const {
    const std::vector<size_t> combines = CombinedVariables(value_, loop_);
    std::vector<uint32_t> mapped;
    for (size_t own = 0; own < extents_.size(); ++own)
      if (member_.variables[own] != kNoVariable && (std::ranges::count(combines, own) > 0) == combined)
        mapped.push_back(member_.variables[own]);
    std::ranges::sort(mapped);
    return mapped;
  }

  bool FitOuter() {
    const bool is_pointwise = loop_.kind == LoopKind::kPointwise;
    const std::vector<uint32_t> kept = Mapped(false);
    if (group_.outer && is_pointwise) return std::ranges::includes(kept, *group_.outer) && IsWorthIt(kept);
    if (group_.outer) return kept == *group_.outer;
    if (group_.members.empty()) {
      if (!is_pointwise) group_.outer = kept;
      return true;
    }
    const auto all = [&](const Member& member) {
      std::vector<uint32_t> variables;
      std::ranges::copy_if(member.variables, std::back_inserter(variables),
                           [](uint32_t variable) { return variable != kNoVariable; });
      std::ranges::sort(variables);
      return variables;
    };
    const std::vector<uint32_t> theirs = all(group_.members.front());
    if (is_pointwise) return kept == theirs;
    if (!std::ranges::includes(theirs, kept) || group_.extents.size() != theirs.size()) return false;
    BecomeOuter(kept);
    return IsWorthIt(theirs);
  }

  // The first reduction of a group: what is not kept is inner from now on.
  void BecomeOuter(const std::vector<uint32_t>& kept) {
    group_.outer = kept;
    for (GroupStage& stage : group_.stages)
      std::erase_if(stage.variables,
                    [&](uint32_t variable) { return std::ranges::count(kept, variable) > 0; });
  }

  bool IsWorthIt(const std::vector<uint32_t>& variables) const {
    int64_t rows = 1;
    int64_t all = 1;
    for (const uint32_t variable : variables) all *= group_.extents[variable];
    for (const uint32_t variable : *group_.outer) rows *= group_.extents[variable];
    return rows >= kFewestRows || all <= kSmallEnough;
  }

  // The first stage that can know all it loads.
  uint32_t FirstStage() const {
    uint32_t first = 0;
    for (const Expression& expression : loop_.body.expressions()) {
      if (expression.op != Op::kLoad) continue;
      const Member* member = group_.Find(ValueIndex{static_cast<uint32_t>(expression.integer)});
      if (member == nullptr) continue;
      const bool is_pointwise = resolved_.loops[Index(member->value)]->kind == LoopKind::kPointwise;
      first = std::max(first, member->stage + (is_pointwise ? 0 : 1));
    }
    return first;
  }

  void ChooseStage() {
    const bool is_pointwise = loop_.kind == LoopKind::kPointwise;
    GroupStage stage{Mapped(false)};
    if (!is_pointwise) stage.variables = Mapped(true);
    if (group_.outer) {
      std::erase_if(stage.variables,
                    [&](uint32_t variable) { return std::ranges::count(*group_.outer, variable) > 0; });
    }
    member_.stage = static_cast<uint32_t>(group_.stages.size());
    for (uint32_t i = FirstStage(); i < group_.stages.size(); ++i) {
      const GroupStage& there = group_.stages[i];
      if (there.variables != stage.variables || !CanShare(there)) continue;
      member_.stage = i;
      break;
    }
    if (member_.stage == group_.stages.size()) group_.stages.push_back(stage);
    if (!is_pointwise) group_.stages[member_.stage].combining = group_.members.size();
    group_.members.push_back(member_);
  }

  // A stage combines one value. A scan has its loop for itself.
  bool CanShare(const GroupStage& stage) const {
    if (loop_.kind == LoopKind::kScan) return false;
    if (!stage.combining) return true;
    if (loop_.kind != LoopKind::kPointwise) return false;
    const ValueIndex combining = group_.members[*stage.combining].value;
    return resolved_.loops[Index(combining)]->kind == LoopKind::kReduction;
  }

  const loops::LoopProgram& program_;
  const Resolved& resolved_;
  const loops::Value& value_;
  const Loop& loop_;
  std::vector<int64_t> extents_;
  Group group_;
  Member member_;
  bool loads_members_ = false;
};

}  // namespace

bool Join(const loops::LoopProgram& program, const Resolved& resolved, ValueIndex value, Group& group) {
  Joining joining(program, resolved, value, group);
  if (!joining.Run()) return false;
  group = std::move(joining).Take();
  return true;
}

Group MakeGroup(const loops::LoopProgram& program, const Resolved& resolved, ValueIndex value) {
  return Joining(program, resolved, value, {}).Alone();
}

}  // namespace culprit::compiler::schedule
