// SPDX-License-Identifier: Apache-2.0
#include "minify/strategies/locate/bisection.h"

#include <algorithm>
#include <bit>

namespace culprit::minify::strategies {

Bisection::Bisection(const std::vector<double>& costs)
    : sums_(1, 0.0), failing_(costs.size()), rounds_left_(std::bit_width(costs.size())) {
  for (const double cost : costs) sums_.push_back(sums_.back() + cost);
}

std::optional<size_t> Bisection::Next() {
  if (failing_ - passing_ < 2) return std::nullopt;
  const bool by_cost = rounds_left_ > 0;
  if (by_cost) --rounds_left_;
  const size_t place = by_cost ? PlaceByCost() : (passing_ + failing_) / 2;
  return std::clamp(place, passing_ + 1, failing_ - 1);
}

size_t Bisection::PlaceByCost() const {
  const double wanted = (sums_[passing_] + sums_[failing_]) / 2;
  return std::ranges::lower_bound(sums_, wanted) - sums_.begin();
}

void Bisection::Learn(size_t place, bool fails) {
  if (fails) {
    failing_ = std::min(failing_, place);
  } else if (place < failing_) {
    passing_ = std::max(passing_, place);
  }
  passing_ = std::min(passing_, failing_ - 1);
}

}  // namespace culprit::minify::strategies
