// SPDX-License-Identifier: Apache-2.0
//
// For tests of strategies: a search with some of them.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "minify/search.h"
#include "minify/strategies/table.h"
#include "tests/lib/fake_checks.h"

namespace culprit::tests {

/// Searches with just these strategies, by name. If the options do not say how the program fails, the check
/// is asked.
inline minify::SearchResult MinimizeWith(const std::vector<std::string_view>& strategies, Program program,
                                         FakeCheck& check, minify::SearchOptions options = {}) {
  for (const minify::StrategyEntry& entry : minify::strategies::AllStrategies()) {
    if (std::ranges::count(strategies, entry.name) > 0) options.strategies.push_back(entry);
  }
  if (options.first.wrong_outputs.empty()) options.first = check.Answer(program);
  return *minify::Minimize(std::move(program), check, options);
}

inline minify::SearchResult MinimizeWithAll(Program program, FakeCheck& check,
                                            minify::SearchOptions options = {}) {
  std::vector<std::string_view> names;
  for (const minify::StrategyEntry& entry : minify::strategies::AllStrategies()) names.push_back(entry.name);
  return MinimizeWith(names, std::move(program), check, std::move(options));
}

/// Only with those that leave fewer operators, outputs and inputs.
inline minify::SearchResult MinimizeOperators(Program program, FakeCheck& check,
                                              minify::SearchOptions options = {}) {
  return MinimizeWith({"hoist", "instrument", "explode", "prefix", "gallop", "suffix", "quickxplain", "drop",
                       "bypass", "outputs", "inputs"},
                      std::move(program), check, std::move(options));
}

}  // namespace culprit::tests
