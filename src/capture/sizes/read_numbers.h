// SPDX-License-Identifier: Apache-2.0
//
// What a program has computed and decided with sizes, read from the logs of walks with different sizes.
//
//   n = x.size(0) * 2              n is known: 2*s0
//   if n > 8: ...                  a condition: 2*s0 > 8
//   min(n, 4)                      4 in all walks: the condition min(2*s0, 4) == 4
//   shapes[n]                      refused: what is at that place depends on a size
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capture/numbers/number_log.h"
#include "capture/segment/segment.h"
#include "graph/sizes/generalise/generalise.h"

namespace culprit::capture {

/// Sizes on which something depends that cannot be said in symbols.
struct RefusedNumber {
  CodeOrigin origin;
  std::string op;
  std::vector<size_t> symbols;
};

struct ReadConditions {
  /// What the program has decided.
  std::vector<SizeCondition> decided;
  /// What is equal by chance in these walks, and has to be wherever it is taken for equal.
  std::vector<SizeCondition> coincidences;
};

/// Fills `numbers` and `conditions`. The logs are of walks that have gone the same way; the origins are those
/// of the graphs' nodes.
std::optional<RefusedNumber> ReadNumbers(const std::vector<const NumberLog*>& logs,
                                         const std::vector<const graph::sizes::SizedGraph*>& graphs,
                                         const std::vector<CodeOrigin>& origins,
                                         graph::sizes::Numbers& numbers, ReadConditions& conditions);

}  // namespace culprit::capture
