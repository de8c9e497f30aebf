// SPDX-License-Identifier: Apache-2.0
#include "repro/cpp/cpp_names.h"

#include <gtest/gtest.h>

namespace culprit::repro {
namespace {

std::string NameInCpp(const std::string& name) {
  graph::Graph graph;
  graph.AddPlaceholder("int_1");
  graph.AddPlaceholder(name);
  return CppNames(graph)[1];
}

TEST(CppNamesTest, NamesStayWhatTheyAre) {
  for (const char* name : {"x", "add_1", "_tensor_constant0", "X", "storages"})
    EXPECT_EQ(NameInCpp(name), name);
}

TEST(CppNamesTest, KeywordsGetANumberThatIsFree) {
  EXPECT_EQ(NameInCpp("int"), "int_2");
  EXPECT_EQ(NameInCpp("template"), "template_1");
}

TEST(CppNamesTest, WhatTheProgramCallsItsOwnIsAvoided) {
  EXPECT_EQ(NameInCpp("Forward"), "Forward_1");
  EXPECT_EQ(NameInCpp("List"), "List_1");
  EXPECT_EQ(NameInCpp("storage0"), "storage0_1");
}

TEST(CppNamesTest, PossibleMacrosAreAvoided) {
  EXPECT_EQ(NameInCpp("EOF"), "EOF_1");
  EXPECT_EQ(NameInCpp("__file"), "__file_1");
}

}  // namespace
}  // namespace culprit::repro
