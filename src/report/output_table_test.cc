// SPDX-License-Identifier: Apache-2.0
#include "report/output_table.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace culprit::report {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A graph that gives back its inputs, which are named.
graph::Graph Identity(const std::vector<std::string>& names) {
  graph::Graph graph;
  std::vector<graph::Argument> outputs;
  for (const std::string& name : names) outputs.emplace_back(graph.AddPlaceholder(name));
  graph.SetOutputs(std::move(outputs));
  return graph;
}

check::EagerRun RunOf(const graph::Graph& graph, const std::vector<c10::IValue>& outputs,
                      check::Distances distances = {}) {
  check::EagerRun run{.outputs = {}, .distances = std::move(distances)};
  for (size_t i = 0; i < outputs.size(); ++i) run.outputs.push_back(check::Summarise(graph, i, outputs[i]));
  return run;
}

std::string JsonOf(const c10::IValue& output) {
  return OutputsAsJson(RunOf(Identity({"x"}), {output})).at(0).dump();
}

TEST(OutputsAsTable, ColumnsAreAsWideAsTheirContents) {
  const std::string long_name = "longer_than_twenty_four_letters";
  EXPECT_EQ(
      OutputsAsTable(RunOf(Identity({"x", long_name}), {at::tensor({1.5}), at::full({2, 1}, -1000000)})),
      "   output                           dtype          sizes        min       max\n"
      "0  x                                torch.float64  [1]          1.5       1.5\n"
      "1  longer_than_twenty_four_letters  torch.int64    [2, 1]  -1000000  -1000000\n"
      "\n"
      "   output                             mean  NaN  Inf\n"
      "0  x                                   1.5    0    0\n"
      "1  longer_than_twenty_four_letters  -1e+06    0    0\n");
}

TEST(OutputsAsTable, IntegersAreExact) {
  const int64_t large = 9007199254740993;  // 2^53 + 1 is no double
  const std::string table = OutputsAsTable(RunOf(Identity({"x"}), {at::tensor({large, large})}));
  EXPECT_NE(table.find(" 9007199254740993  9007199254740993 "), std::string::npos) << table;
}

TEST(OutputsAsTable, ConstantsShowTheirValue) {
  graph::Graph graph;
  graph.SetOutputs(
      {graph::Argument(c10::IValue(2)), graph::Argument(c10::IValue("text")), graph::Argument()});
  EXPECT_EQ(OutputsAsTable(RunOf(graph, {2, "text", c10::IValue()})),
            "   output  dtype  sizes  min  max  mean  NaN  Inf\n"
            "0  2       int    []       2    2     2    0    0\n"
            "1  'text'  str    []       -    -     -    0    0\n"
            "2  None    None   []       -    -     -    0    0\n");
}

TEST(OutputsAsTable, OfSparseTensorsTheZerosCount) {
  const at::Tensor dense = at::tensor({0.0, -3.0, 0.0, 1.0});
  const std::string table =
      OutputsAsTable(RunOf(Identity({"x", "y"}), {dense.to_sparse(), dense.reshape({2, 2}).to_sparse_csr()}));
  EXPECT_EQ(table,
            "   output  dtype          sizes   min  max  mean  NaN  Inf\n"
            "0  x       torch.float64  [4]      -3    1  -0.5    0    0\n"
            "1  y       torch.float64  [2, 2]   -3    1  -0.5    0    0\n");
  const at::Tensor negative = at::tensor({-2.0, -1.0, 0.0}).to_sparse();
  EXPECT_EQ(JsonOf(negative), R"({"output":"x","dtype":"torch.float64","sizes":[3],"nan":0,"inf":0,)"
                              R"("min":-2.0,"max":0.0,"mean":-1.0})");
}

TEST(OutputsAsTable, QuantisedTensorsShowWhatTheyStandFor) {
  const at::Tensor quantised = at::quantize_per_tensor(at::tensor({0.5f, 2.0f}), 0.5, 3, at::kQInt8);
  EXPECT_EQ(OutputsAsTable(RunOf(Identity({"x"}), {quantised})),
            "   output  dtype        sizes  min  max  mean  NaN  Inf\n"
            "0  x       torch.qint8  [2]    0.5    2  1.25    0    0\n");
}

TEST(OutputsAsJson, IntegersAreExact) {
  EXPECT_EQ(JsonOf(at::tensor({int64_t{9007199254740993}})),
            R"({"output":"x","dtype":"torch.int64","sizes":[1],"nan":0,"inf":0,)"
            R"("min":9007199254740993,"max":9007199254740993,"mean":9.007199254740992e+15})");
  EXPECT_EQ(JsonOf(int64_t{9007199254740993}),
            R"({"output":"x","dtype":"int","sizes":[],"nan":0,"inf":0,)"
            R"("min":9007199254740993,"max":9007199254740993,"mean":9.007199254740992e+15})");
}

TEST(OutputsAsJson, TheRangeIsThatOfTheFiniteNumbers) {
  EXPECT_EQ(JsonOf(at::tensor({kNan, 1.0, kInf, 3.0})),
            R"({"output":"x","dtype":"torch.float64","sizes":[4],"nan":1,"inf":1,)"
            R"("min":1.0,"max":3.0,"mean":2.0})");
}

TEST(OutputsAsJson, NumbersThatAreNotFiniteAreStrings) {
  EXPECT_EQ(JsonOf(at::tensor({kNan, kNan})),
            R"({"output":"x","dtype":"torch.float64","sizes":[2],"nan":2,"inf":0,)"
            R"("min":"nan","max":"nan","mean":"nan"})");
  EXPECT_EQ(JsonOf(at::tensor({kInf, -kInf})),
            R"({"output":"x","dtype":"torch.float64","sizes":[2],"nan":0,"inf":2,)"
            R"("min":"-inf","max":"inf","mean":"nan"})");
}

TEST(OutputsAsJson, ScalarsAreCountedToo) {
  EXPECT_EQ(JsonOf(kNan), R"({"output":"x","dtype":"float","sizes":[],"nan":1,"inf":0,)"
                          R"("min":"nan","max":"nan","mean":"nan"})");
  EXPECT_EQ(JsonOf(-kInf), R"({"output":"x","dtype":"float","sizes":[],"nan":0,"inf":1,)"
                           R"("min":"-inf","max":"-inf","mean":"-inf"})");
}

TEST(OutputsAsJson, WhatIsNotThereIsLeftOut) {
  EXPECT_EQ(JsonOf(at::empty({0})), R"({"output":"x","dtype":"torch.float32","sizes":[0],"nan":0,"inf":0})");
}

TEST(OutputsAsJson, InfiniteDistancesAreStrings) {
  const auto json = OutputsAsJson(RunOf(Identity({"x"}), {1.0}, {check::Distance{kInf, kInf}})).at(0);
  EXPECT_EQ(json["max_abs"], "inf");
  EXPECT_EQ(json["max_rel"], "inf");
}

}  // namespace
}  // namespace culprit::report
