// SPDX-License-Identifier: Apache-2.0
#include "tests/house/process_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ProcessStateTest, EachVariableOfTheProcessIsNamedWithItsReason) {
  EXPECT_THAT(CompareProcessState(FindProcessState(ReadTree("src")), ReadFile("tests/process_state.txt")),
              IsEmpty());
}

// From here on: that the check above can fail.

TEST(ProcessStateCheckTest, VariablesOfNamespacesFunctionsAndThreadsAreFound) {
  EXPECT_THAT(FindProcessState({{"a.cc",
                                 "std::atomic<bool> interrupted = false;\n"
                                 "char entry[] = \"x\";\n"
                                 "thread_local int calls = 0;\n"
                                 "std::array<char, 256 << 10> stack;\n"
                                 "int Next() {\n"
                                 "  static auto& servers = *new std::map<std::string, int>();\n"
                                 "  static KernelLoader& loader =\n"
                                 "  static thread_local const Insight* current = nullptr;\n"
                                 "  static Printer printer;\n"
                                 "}\n"}}),
              ElementsAre("a.cc interrupted", "a.cc entry", "a.cc calls", "a.cc stack", "a.cc servers",
                          "a.cc loader", "a.cc current", "a.cc printer"));
}

TEST(ProcessStateCheckTest, ConstantsMembersAndFunctionsAreNoState) {
  EXPECT_THAT(FindProcessState({{"a.h",
                                 "constexpr int kOne = 1;\n"
                                 "const std::string text = \"x\";\n"
                                 "using Clock = std::chrono::steady_clock;\n"
                                 "struct A;\n"
                                 "class B {\n"
                                 "  static base::Result<B> Make(int size = 1);\n"
                                 "  static constexpr size_t kMost = 2;\n"
                                 "  static const std::regex kName(\"x\");\n"
                                 "  int count_ = 0;\n"
                                 "};\n"
                                 "int Sum(int a, int b);\n"
                                 "int Sum(int a) {\n"
                                 "  return a;\n"
                                 "}\n"},
                                {"a_test.cc", "int calls = 0;\n"},
                                {"a.txt", "int calls = 0;\n"}}),
              IsEmpty());
}

TEST(ProcessStateCheckTest, WhatIsNotNamedIsFoundAndWhatIsGoneAndWhatHasNoReason) {
  EXPECT_THAT(CompareProcessState({"a.cc x", "b.cc y"}, "# the list\na.cc x counts\nc.cc z\n"),
              ElementsAre("c.cc z has no reason", "b.cc y is not in tests/process_state.txt",
                          "c.cc z does not exist"));
}

}  // namespace
}  // namespace culprit::tests
