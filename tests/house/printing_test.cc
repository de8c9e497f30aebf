// SPDX-License-Identifier: Apache-2.0
#include "tests/house/printing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::tests {
namespace {

TEST(PrintingTest, NothingPrintsInAWayThatThrows) {
  EXPECT_THAT(FindPrints(ReadTree("src")), testing::IsEmpty());
}

// From here on: that the check above can fail.

TEST(PrintingCheckTest, APrintIsFoundUnlessItIsATests) {
  EXPECT_THAT(FindPrints({{"cli/run.cc", "int x;\n  fmt::print(stderr, \"no\");\n"},
                          {"graph/ir/graph.h", "std::cerr << x;\n"},
                          {"graph/ir/graph_test.cc", "fmt::print(\"yes\");\n"},
                          {"cli/help.txt", "fmt::print("}}),
              testing::ElementsAre("src/cli/run.cc:2: prints with fmt::print(",
                                   "src/graph/ir/graph.h:1: prints with std::cerr <<"));
}

}  // namespace
}  // namespace culprit::tests
