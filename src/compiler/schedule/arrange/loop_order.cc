// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/arrange/loop_order.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace culprit::compiler::schedule {
namespace {

using loops::Kernel;
using loops::Lanes;

int64_t ExtentOf(const Kernel& kernel, uint32_t variable) {
  return kernel.body[kernel.extents[variable]].integer;
}

class Ordering {
 public:
  Ordering(const Kernel& kernel, const std::optional<std::vector<uint32_t>>& outer, const Accesses& accesses,
           const std::function<bool()>& applies)
      : kernel_(kernel), accesses_(accesses), applies_(applies) {
    outer_.resize(kernel.extents.size());
    std::iota(outer_.begin(), outer_.end(), 0U);
    if (outer) outer_ = *outer;
  }

  LoopOrder Run() {
    LoopOrder order;
    order.lanes = ChooseLanes();
    const std::vector<uint32_t> outer = Sorted(outer_);
    for (const loops::Stage& stage : kernel_.stages)
      stages_.push_back(KeepsOrder(stage) ? stage.variables : Sorted(stage.variables));
    order.outer = Merge(outer);
    for (const std::vector<uint32_t>& variables : stages_) order.stages.push_back(Merge(variables));
    return order;
  }

 private:
  // Places are counted through the variables as the program has them.
  static bool KeepsOrder(const loops::Stage& stage) {
    return stage.kind == loops::LoopKind::kScan ||
           (stage.kind == loops::LoopKind::kReduction && FindsPlace(stage.combine));
  }

  double MostNeighbours(const std::vector<uint32_t>& variables) const {
    double most = -1;
    for (const uint32_t variable : variables) most = std::max(most, accesses_.Neighbours(variable));
    return most;
  }

  Lanes ChooseLanes() const {
    double inner = -1;
    for (const loops::Stage& stage : kernel_.stages) inner = std::max(inner, MostNeighbours(stage.variables));
    if (inner < 0) return outer_.empty() ? Lanes::kInner : Lanes::kOuter;
    return MostNeighbours(outer_) > inner ? Lanes::kOuter : Lanes::kInner;
  }

  // Long ways first. Along which places lie one behind the other, rather where they are stored than where
  // they are loaded, goes last. Of what lies alike the program's order.
  std::vector<uint32_t> Sorted(std::vector<uint32_t> variables) const {
    if (variables.empty()) return variables;
    std::ranges::stable_sort(variables, std::greater(), [&](uint32_t v) { return accesses_.Distance(v); });
    const auto nearness = [&](uint32_t v) {
      return std::pair(accesses_.Neighbours(v), accesses_.StoredNeighbours(v));
    };
    // The last of the nearest ones.
    const auto nearest = std::ranges::max_element(variables.rbegin(), variables.rend(), {}, nearness);
    std::rotate(nearest.base() - 1, nearest.base(), variables.end());
    return variables;
  }

  bool CanMerge(uint32_t outer, uint32_t inner) const {
    if (accesses_.is_used_otherwise[outer] || accesses_.is_used_otherwise[inner]) return false;
    return std::ranges::all_of(accesses_.affine, [&](const Affine& place) {
      return place.coefficient(outer) == place.coefficient(inner) * ExtentOf(kernel_, inner);
    });
  }

  // Two variables that some stage has without each other, or not one behind the other, stay two.
  bool AreAlwaysNeighbours(uint32_t a, uint32_t b) const {
    return std::ranges::all_of(stages_, [&](const std::vector<uint32_t>& variables) {
      const auto first = std::ranges::find(variables, a);
      const auto second = std::ranges::find(variables, b);
      return first == variables.end() ? second == variables.end() : second == first + 1;
    });
  }

  std::vector<LoopOrder::Merged> Merge(const std::vector<uint32_t>& variables) const {
    std::vector<LoopOrder::Merged> merged;
    for (const uint32_t variable : variables) {
      if (!merged.empty() && AreAlwaysNeighbours(merged.back().back(), variable) &&
          CanMerge(merged.back().back(), variable) && applies_()) {
        merged.back().push_back(variable);
      } else {
        merged.push_back({variable});
      }
    }
    return merged;
  }

  const Kernel& kernel_;
  const Accesses& accesses_;
  const std::function<bool()>& applies_;
  std::vector<uint32_t> outer_;
  std::vector<std::vector<uint32_t>> stages_;
};

}  // namespace

LoopOrder ChooseOrder(const Kernel& kernel, const std::optional<std::vector<uint32_t>>& outer,
                      const Accesses& accesses, const std::function<bool()>& applies) {
  return Ordering(kernel, outer, accesses, applies).Run();
}

}  // namespace culprit::compiler::schedule
