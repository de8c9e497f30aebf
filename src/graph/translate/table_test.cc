// SPDX-License-Identifier: Apache-2.0
#include "graph/translate/table.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "graph/operators/operator.h"
#include "graph/translate/rows.h"

namespace culprit::graph::translate {
namespace {

bool InLibtorch(std::string_view qualified_name) {
  const size_t dot = qualified_name.find('.');
  const std::string_view overload =
      dot == std::string_view::npos ? std::string_view() : qualified_name.substr(dot + 1);
  return Operator::Find(qualified_name.substr(0, dot), overload) != nullptr;
}

std::vector<Translation> AllTextRows() {
  std::vector<Translation> rows(AllTranslations().begin(), AllTranslations().end());
  for (const auto part : {CudaOnlyTranslations(), CollectiveTranslations()})
    rows.insert(rows.end(), part.begin(), part.end());
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
  for (const auto rows : {AllTranslations(), CudaOnlyTranslations(), CollectiveTranslations()}) {
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
  for (const Translation& row : AllTextRows()) with_text.insert(row.op);
  std::set<std::string_view> with_function;
  for (const auto rows : {FunctionTranslations(), CudaOnlyFunctions(), CollectiveFunctions()}) {
    for (const FunctionTranslation& row : rows) {
      EXPECT_FALSE(with_text.contains(row.op)) << row.op;
      EXPECT_TRUE(with_function.insert(row.op).second) << row.op;
    }
  }
}

TEST(TranslationTable, RowsAreForOperatorsThatLibtorchLacks) {
  for (const Translation& row : AllTranslations()) EXPECT_FALSE(InLibtorch(row.op)) << row.op;
  for (const FunctionTranslation& row : FunctionTranslations()) EXPECT_FALSE(InLibtorch(row.op)) << row.op;
}

TEST(TranslationTable, TheManualNamesEveryOperator) {
  std::ifstream file("docs/operators-2x.md");
  const std::string manual{std::istreambuf_iterator<char>(file), {}};
  const auto expect_named = [&](std::string_view op) {
    std::string name = fmt::format("| `{}` |", op);
    name.replace(name.find("::"), 2, ".");
    EXPECT_NE(manual.find(name), std::string::npos) << name;
  };
  std::set<std::string_view> summarised;
  for (const Translation& row : ElementwisePrimsTranslations()) summarised.insert(row.op);
  for (const Translation& row : AllTextRows()) {
    if (!summarised.contains(row.op)) expect_named(row.op);
  }
  for (const auto rows : {FunctionTranslations(), CudaOnlyFunctions(), CollectiveFunctions()}) {
    for (const FunctionTranslation& row : rows) expect_named(row.op);
  }
}

// With a condition a row is for arguments that the CPU kernel refuses.
TEST(TranslationTable, CudaOnlyRowsAreForOperatorsWithoutACpuKernel) {
  const auto has_cpu_kernel = [](std::string_view op) {
    const size_t dot = std::min(op.find('.'), op.size());
    const std::string overload(op.substr(std::min(dot + 1, op.size())));
    const auto handle = c10::Dispatcher::singleton().findSchemaOrThrow(std::string(op.substr(0, dot)).c_str(),
                                                                       overload.c_str());
    return handle.hasKernelForDispatchKey(c10::DispatchKey::CPU);
  };
  for (const Translation& row : CudaOnlyTranslations()) {
    ASSERT_TRUE(InLibtorch(row.op)) << row.op;
    if (row.when.empty()) EXPECT_FALSE(has_cpu_kernel(row.op)) << row.op;
  }
  for (const FunctionTranslation& row : CudaOnlyFunctions()) {
    ASSERT_TRUE(InLibtorch(row.op)) << row.op;
    EXPECT_FALSE(has_cpu_kernel(row.op)) << row.op;
  }
}

}  // namespace
}  // namespace culprit::graph::translate
