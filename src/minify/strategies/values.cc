// SPDX-License-Identifier: Apache-2.0
//
// Simpler numbers (minify/order/fill.h), so that the program needs no data file: zeros, ones, small integers,
// numbers from a seed, rounded ones. All tensors at once first; then all inputs and all that is frozen; then
// each tensor, as simple as it can be.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "minify/order/fill.h"
#include "minify/program/leaves.h"
#include "minify/rewrite/rewrite.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view NameOf(Fill fill) {
  switch (fill) {
    case Fill::kZeros:
      return "zeros";
    case Fill::kOnes:
      return "ones";
    case Fill::kSmallIntegers:
      return "small integers";
    case Fill::kNormal:
      return "numbers from a seed";
    case Fill::kRounded:
      return "rounded numbers";
  }
  return "";
}

/// Fills those that this makes simpler.
base::Result<Program> FillAll(const Subject& subject, const Names& names, Fill fill) {
  Rewrite rewrite;
  bool changes_integers = false;
  const std::vector<Leaf> leaves = LeavesOf(subject.program());
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (!leaves[i].is_replaceable || std::ranges::count(names, leaves[i].name) == 0) continue;
    const std::optional<at::Tensor> filled = Filled(leaves[i].tensor, fill, i);
    if (!filled) continue;
    rewrite.tensors[leaves[i].name] = *filled;
    changes_integers = changes_integers || c10::isIntegralType(filled->scalar_type(), /*includeBool=*/false);
  }
  if (rewrite.tensors.empty()) return base::Diagnostic{{}, "nothing would change"};
  Program program = Rewritten(subject.program(), rewrite);
  return changes_integers ? IfItRuns(std::move(program)) : IfItStillRuns(std::move(program));
}

/// What is filled together: all, the inputs, the frozen ones, each alone; without those that say the same.
std::vector<Names> GroupsOf(const Program& program) {
  Names inputs;
  Names frozen;
  for (const Leaf& leaf : LeavesOf(program)) {
    if (leaf.is_replaceable && ContentsComplexity(leaf.tensor) > 0)
      (leaf.is_frozen ? frozen : inputs).push_back(leaf.name);
  }
  Names all = inputs;
  all.insert(all.end(), frozen.begin(), frozen.end());
  std::vector<Names> groups;
  const auto add = [&](const Names& names) {
    if (!names.empty() && std::ranges::find(groups, names) == groups.end()) groups.push_back(names);
  };
  add(all);
  add(inputs);
  add(frozen);
  for (const std::string& name : all) add({name});
  return groups;
}

class Values : public StrategyOf<Values> {
 public:
  std::optional<Edit> Propose(const Subject& subject) override {
    if (!begun_) groups_ = GroupsOf(subject.program());
    begun_ = true;
    if (fill_ == std::size(kFills)) NextGroup();
    if (group_ >= groups_.size()) return std::nullopt;
    return EditOf(groups_[group_], kFills[fill_++]);
  }

  /// What is filled with something is not tried with anything less simple.
  void Learn(const Learned& learned) override {
    if (learned.accepted) NextGroup();
  }

 private:
  void NextGroup() {
    ++group_;
    fill_ = 0;
  }

  static Edit EditOf(const Names& names, Fill fill) {
    const std::string what = names.size() == 1 ? names[0] : fmt::format("{} tensors", names.size());
    return {fmt::format("fill {} with {}", what, NameOf(fill)),
            [names, fill](const Subject& now) { return FillAll(now, names, fill); }};
  }

  bool begun_ = false;
  std::vector<Names> groups_;
  size_t group_ = 0;
  size_t fill_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> MakeValues() {
  return std::make_unique<Values>();
}

}  // namespace culprit::minify::strategies
