// SPDX-License-Identifier: Apache-2.0
#include "graph/text/translation_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "graph/operator.h"

namespace culprit::graph::text {
namespace {

bool InLibtorch(std::string_view qualified_name) {
  const size_t dot = qualified_name.find('.');
  const std::string_view overload =
      dot == std::string_view::npos ? std::string_view() : qualified_name.substr(dot + 1);
  return Operator::Find(qualified_name.substr(0, dot), overload) != nullptr;
}

std::vector<Translation> AllTextRows() {
  std::vector<Translation> rows(AllTranslations().begin(), AllTranslations().end());
  rows.insert(rows.end(), CudaOnlyTranslations().begin(), CudaOnlyTranslations().end());
  return rows;
}

// "aten.add.Tensor(" => "aten::add.Tensor", "aten.relu.default(" => "aten::relu".
std::vector<std::string> CalledOperators(std::string_view body) {
  static const std::regex call(R"((\w+)\.(\w+)\.(\w+)\()");
  const std::string text(body);
  std::vector<std::string> operators;
  for (std::sregex_iterator found(text.begin(), text.end(), call), end; found != end; ++found) {
    const std::string overload = (*found)[3].str() == "default" ? "" : "." + (*found)[3].str();
    operators.push_back((*found)[1].str() + "::" + (*found)[2].str() + overload);
  }
  return operators;
}

TEST(TranslationTable, BodiesCallOnlyOperatorsThatLibtorchHas) {
  size_t calls = 0;
  for (const Translation& row : AllTextRows()) {
    for (const std::string& op : CalledOperators(row.body)) {
      EXPECT_TRUE(InLibtorch(op)) << op << " in the translation of " << row.op;
      ++calls;
    }
  }
  EXPECT_GT(calls, AllTextRows().size());
}

TEST(TranslationTable, BodiesReturnSomethingUnlessTheyDropTheCall) {
  for (const Translation& row : AllTextRows()) {
    EXPECT_TRUE(row.body.empty() || row.body.find("return ") != std::string_view::npos) << row.op;
  }
}

TEST(TranslationTable, NoRowHidesALaterOne) {
  for (const auto rows : {AllTranslations(), CudaOnlyTranslations()}) {
    std::set<std::string_view> complete;
    for (const Translation& row : rows) {
      EXPECT_FALSE(complete.contains(row.op)) << row.op;
      if (row.when.empty()) complete.insert(row.op);
    }
  }
}

TEST(TranslationTable, ConditionsSpeakOfParameters) {
  static const std::regex condition(R"((\w+) (?:==|!=|is not|is) \S+)");
  for (const Translation& row : AllTextRows()) {
    const std::string when(row.when);
    for (std::sregex_iterator found(when.begin(), when.end(), condition), end; found != end; ++found) {
      EXPECT_TRUE(
          std::regex_search(std::string(row.parameters), std::regex("\\b" + (*found)[1].str() + "\\b")))
          << row.op << ": " << row.when;
    }
  }
}

TEST(TranslationTable, AnOperatorHasTextOrAFunction) {
  std::set<std::string_view> with_text;
  for (const Translation& row : AllTranslations()) with_text.insert(row.op);
  std::set<std::string_view> with_function;
  for (const FunctionTranslation& row : FunctionTranslations()) {
    EXPECT_FALSE(with_text.contains(row.op)) << row.op;
    EXPECT_TRUE(with_function.insert(row.op).second) << row.op;
  }
}

TEST(TranslationTable, FunctionsAreForOperatorsThatLibtorchLacks) {
  for (const FunctionTranslation& row : FunctionTranslations()) EXPECT_FALSE(InLibtorch(row.op)) << row.op;
}

// Calls with arguments that 1.13 does not know, or without those that it wants.
TEST(TranslationTable, OperatorsOfLibtorchThatAreTranslatedToo) {
  std::set<std::string_view> present;
  for (const Translation& row : AllTranslations()) {
    if (InLibtorch(row.op)) present.insert(row.op);
  }
  EXPECT_THAT(present, testing::UnorderedElementsAre("aten::var.correction", "aten::std.correction",
                                                     "aten::var_mean.correction", "aten::std_mean.correction",
                                                     "aten::_assert_tensor_metadata"));
}

TEST(TranslationTable, CudaOnlyRowsAreForOperatorsOfLibtorch) {
  for (const Translation& row : CudaOnlyTranslations()) EXPECT_TRUE(InLibtorch(row.op)) << row.op;
}

}  // namespace
}  // namespace culprit::graph::text
