// SPDX-License-Identifier: Apache-2.0
#include "minify/strategies/locate/bisection.h"

#include <algorithm>
#include <bit>

namespace culprit::minify::strategies {

Bisection::Bisection(const std::vector<double>& costs)
    : sums_(1, 0.0), failing_(costs.size()), rounds_left_(std::bit_width(costs.size())) {
  for (const double cost : costs) sums_.push_back(sums_.back() + cost);
}

std::vector<size_t> Bisection::Next(size_t at_most) {
  std::vector<size_t> places;
  if (failing_ - passing_ < 2) return places;
  const bool by_cost = rounds_left_ > 0;
  if (by_cost) --rounds_left_;
  for (size_t i = 1; i <= at_most; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(at_most + 1);
    const size_t place =
        std::clamp(by_cost ? PlaceByCost(share) : PlaceByCount(share), passing_ + 1, failing_ - 1);
    if (places.empty() || places.back() < place) places.push_back(place);
  }
  return places;
}

size_t Bisection::PlaceByCost(double share) const {
  const double wanted = sums_[passing_] + share * (sums_[failing_] - sums_[passing_]);
  return std::ranges::lower_bound(sums_, wanted) - sums_.begin();
}

size_t Bisection::PlaceByCount(double share) const {
  return passing_ + static_cast<size_t>(share * static_cast<double>(failing_ - passing_));
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
