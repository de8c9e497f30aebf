// SPDX-License-Identifier: Apache-2.0
//
// One strategy of the minifier alone, against a check that needs no compiler. Every program that it proposes
// has to be valid and to run in eager.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "graph/ir/verify.h"
#include "graph/text/script/script.h"
#include "minify/program/leaves.h"
#include "minify/search.h"
#include "minify/strategies/table.h"
#include "tests/lib/random_graph.h"
#include "tests/lib/volume.h"

namespace culprit::tests {

using Oracle = std::function<bool(const minify::Program&)>;

inline minify::StrategyEntry StrategyNamed(std::string_view name) {
  const auto all = minify::strategies::AllStrategies();
  const auto found = std::ranges::find(all, name, &minify::StrategyEntry::name);
  EXPECT_NE(found, all.end()) << name;
  return *found;
}

class PickyCheck : public minify::FailureCheck {
 public:
  explicit PickyCheck(Oracle fails) : fails_(std::move(fails)) {}

  minify::Reply Ask(const minify::Program& program) override {
    const base::Status valid = graph::Verify(program.graph);
    EXPECT_TRUE(valid.ok()) << valid.error().Render();
    const auto subject = minify::Subject::Make(program);
    EXPECT_TRUE(subject.ok()) << subject.error().Render();
    return {{fails_(program) ? minify::Answer::kSameFailure : minify::Answer::kPasses}};
  }

 private:
  Oracle fails_;
};

inline minify::SearchResult RunStrategy(std::string_view name, minify::Program program, Oracle fails) {
  PickyCheck check(std::move(fails));
  return *minify::Minimize(std::move(program), check, {.strategies = {StrategyNamed(name)}});
}

/// How often the strategy proposes something if nothing that it proposes fails.
inline size_t ProposalsWithoutSuccess(std::string_view name, const minify::Program& program) {
  const minify::SearchResult result = RunStrategy(name, program, [](const auto&) { return false; });
  return result.questions + result.remembered;
}

/// Random programs in which everything fails: whatever can be changed is.
inline void ExpectValidOnRandomGraphs(std::string_view name, int graphs = 30) {
  for (int seed = 1; seed <= Volume(graphs, 20 * graphs); ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph random = MakeRandomGraph(seed, 12);
    const minify::Program program{random.graph, random.inputs};
    RunStrategy(name, program, [](const auto&) { return true; });
    ProposalsWithoutSuccess(name, program);
  }
}

/// The calls as a script has them, one per line: "relu = relu.default(x)".
inline std::string CallsOf(const minify::Program& program) {
  const std::string text = *graph::text::PrintGraph(program.graph);
  const std::string prefix = "torch.ops.aten.";
  std::string calls;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const size_t call = line.find(prefix);
    if (call == std::string::npos) continue;
    line.erase(call, prefix.size());
    calls += line.substr(line.find_first_not_of(' '), line.find(';') - line.find_first_not_of(' ')) + "\n";
  }
  return calls;
}

/// The sizes of all tensors that the program begins with.
inline std::vector<std::vector<int64_t>> SizesOf(const minify::Program& program) {
  std::vector<std::vector<int64_t>> sizes;
  for (const minify::Leaf& leaf : minify::LeavesOf(program)) sizes.push_back(leaf.tensor.sizes().vec());
  return sizes;
}

}  // namespace culprit::tests
