// SPDX-License-Identifier: Apache-2.0
//
// Where in 1..n is the border between what passes and what fails? The largest is known to fail. Several
// places can be asked about at once; with one at a time it is a plain bisection. Answers may lie: it ends all
// the same, with something that was seen to fail.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace culprit::minify::strategies {

class Bisection {
 public:
  /// `costs[i]` is what step i adds to a question: places are chosen so that both sides cost the same. When
  /// that has taken as many rounds as a plain bisection would, it goes on as one.
  explicit Bisection(const std::vector<double>& costs);

  /// A place between the border's bounds; nothing when it is found.
  std::optional<size_t> Next();
  void Learn(size_t place, bool fails);

  /// The smallest that is known to fail.
  size_t failing() const { return failing_; }

 private:
  size_t PlaceByCost() const;

  // sums_[i] is what the first i steps cost.
  std::vector<double> sums_;
  size_t passing_ = 0;
  size_t failing_;
  size_t rounds_left_;
};

}  // namespace culprit::minify::strategies
