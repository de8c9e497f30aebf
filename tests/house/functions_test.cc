// SPDX-License-Identifier: Apache-2.0
#include "tests/house/functions.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Found(std::string_view text) {
  std::vector<std::string> found;
  for (const Function& function : FindFunctions(text))
    found.push_back(fmt::format("{}:{} {}", function.line, function.lines, function.name));
  return found;
}

TEST(FunctionsTest, CountsFromTheDeclarationToTheBrace) {
  EXPECT_THAT(Found("int x;\n\nvoid F(\n    int a) {\n  if (a) {\n  }\n}\n"), ElementsAre("3:5 void F"));
}

TEST(FunctionsTest, LooksIntoNamespacesAndClasses) {
  EXPECT_THAT(Found("namespace a {\nclass B : public C<int (*)()> {\n  int D() const { return 1; }\n};\n"
                    "template <typename T>\nstruct E {\n  bool operator==(const E&) const {\n    return "
                    "d_;\n  }\n};\n}\n"),
              ElementsAre("3:1 int D", "7:3 bool operator"));
}

TEST(FunctionsTest, LambdasBelongToTheFunctionAroundThem) {
  EXPECT_THAT(Found("void F() {\n  auto g = [](int) {\n    return 1;\n  };\n}\n"), ElementsAre("1:5 void F"));
}

TEST(FunctionsTest, TablesAndEnumsAreNoFunctions) {
  EXPECT_THAT(Found("const T k = Make({1, 2});\nconstexpr int a[] = {\n1,\n};\nenum class E : int { kA };\n"),
              IsEmpty());
}

TEST(FunctionsTest, BracesInCommentsLiteralsAndMacrosDoNotCount) {
  EXPECT_THAT(Found("// {\n/* { */\n#define X(a) {\\\n  {\nconst char* s = \"{\\\"{\";\nchar c = '{';\n"
                    "auto r = R\"x({)\" {)x\";\nint n = 1'000;\nvoid F() {\n}\n"),
              ElementsAre("9:2 void F"));
}

}  // namespace
}  // namespace culprit::tests
