// SPDX-License-Identifier: Apache-2.0
#include "minify/strategies/bisection.h"

#include <algorithm>

namespace culprit::minify::strategies {

Bisection::Bisection(std::vector<double> costs) : sums_(1, 0.0), failing_(costs.size()) {
  for (const double cost : costs) sums_.push_back(sums_.back() + cost);
}

std::vector<size_t> Bisection::Next(size_t at_most) const {
  std::vector<size_t> places;
  if (failing_ - passing_ < 2) return places;
  const double from = sums_[passing_];
  const double width = sums_[failing_] - from;
  for (size_t i = 1; i <= at_most; ++i) {
    const double wanted = from + width * static_cast<double>(i) / static_cast<double>(at_most + 1);
    const auto found = std::ranges::lower_bound(sums_, wanted);
    const auto place = std::clamp<size_t>(found - sums_.begin(), passing_ + 1, failing_ - 1);
    if (places.empty() || places.back() < place) places.push_back(place);
  }
  return places;
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
