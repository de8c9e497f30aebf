// SPDX-License-Identifier: Apache-2.0
//
// What docs/native.md promises of math=exact: the operators that it lists give the bits of libtorch, on
// contiguous Floats and Doubles, by both ways to generate code, with numbers of every kind and sizes on and
// off the width of vectors. libtorch computes with its oneDNN switched off.
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <sstream>

#include "tests/compiler/exact_operators.h"
#include "tests/compiler/native_backend.h"
#include "tests/lib/fixtures.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

/// The words between the fences of the block ```exact.
std::set<std::string> ListedOperators() {
  const std::string text = ReadFixture("docs/native.md");
  const std::string fence = "\n```exact\n";
  const size_t begin = text.find(fence);
  EXPECT_NE(begin, std::string::npos);
  const size_t first = begin + fence.size();
  std::istringstream words(text.substr(first, text.find("\n```", first) - first));
  return {std::istream_iterator<std::string>(words), {}};
}

/// All calls of "exp", or the one call "add.Tensor(x,y)".
std::vector<MatrixCase> CasesOf(const std::string& listed) {
  const std::string op = "aten::" + listed.substr(0, listed.find('('));
  if (listed.ends_with(')'))
    return {{op, listed.substr(listed.find('(') + 1, listed.size() - listed.find('(') - 2)}};
  std::vector<MatrixCase> cases = MatrixCases();
  std::erase_if(cases, [&](const MatrixCase& each) { return each.op != op; });
  return cases;
}

class ExactTest : public testing::TestWithParam<const char*> {
 protected:
  ExactTest() { at::globalContext().setUserEnabledMkldnn(false); }
  ~ExactTest() override { at::globalContext().setUserEnabledMkldnn(true); }
};

TEST_P(ExactTest, EveryListedOperatorGivesTheBitsOfLibtorch) {
  const ExactComparison comparison(GetParam());
  size_t cells = 0;
  for (const std::string& op : ListedOperators())
    for (const MatrixCase& each : CasesOf(op)) {
      const ExactResult result = comparison.Compare(each, /*all_layouts=*/FullVolume());
      EXPECT_EQ(result.difference, "") << op << "(" << each.arguments << ")";
      cells += result.cells;
    }
  fmt::print("{} cells by {}\n", cells, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Codegens, ExactTest, testing::Values("exact", "exact,llvm-o3"),
                         [](const auto& info) { return info.index == 0 ? "Vectors" : "LlvmO3"; });

TEST(ExactListTest, WhatIsListedIsComputedByLoops) {
  const at::NoGradGuard no_grad;
  const std::unique_ptr<backend::Backend> backend = OpenNative(SettingOf("exact"));
  for (const std::string& op : ListedOperators()) {
    const std::vector<MatrixCase> cases = CasesOf(op);
    ASSERT_FALSE(cases.empty()) << op << " has no rule";
    const MatrixGraph graph = MakeGraph(cases[0], at::kFloat, kLayouts[0]);
    const size_t calls = CountsOfNative().calls;
    backend->Compile(graph.graph,
                     MakeInputs(cases[0], graph.letters, at::kFloat, kLayouts[0], Numbers::kRandom));
    EXPECT_EQ(CountsOfNative().calls, calls) << op << " is called";
  }
}

}  // namespace
}  // namespace culprit::tests
