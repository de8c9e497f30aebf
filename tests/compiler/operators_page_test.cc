// SPDX-License-Identifier: Apache-2.0
//
// docs/native.md lists all operators that have rules, a row for each family of them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <set>

#include "compiler/lower/rules.h"
#include "tests/lib/fixtures.h"

namespace culprit::tests {
namespace {

std::string RowOf(const compiler::lower::RuleFamily& family) {
  std::set<std::string_view> operators;
  for (const compiler::lower::LoweringRule& rule : family.rules)
    operators.insert(rule.op.substr(rule.op.find("::") + 2));
  return fmt::format("| {} | `{}` |\n", family.name, fmt::join(operators, "` `"));
}

TEST(OperatorsPageTest, ListsEveryOperatorThatIsALoop) {
  const std::string page = ReadFixture("docs/native.md");
  for (const compiler::lower::RuleFamily& family : compiler::lower::RuleFamilies())
    EXPECT_THAT(page, testing::HasSubstr(RowOf(family)));
}

}  // namespace
}  // namespace culprit::tests
