// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compiler/lower/rules.h"
#include "tests/lib/compare_lowered.h"
#include "tests/lib/short_graph.h"

namespace culprit::compiler::lower {
namespace {

using tests::ExpectCall;
using tests::ExpectLowered;
using tests::OneCall;

/// What the result relies on, one condition behind the other.
std::string ConditionsOf(const std::string& text, const std::vector<std::string>& inputs) {
  std::vector<c10::IValue> values;
  for (const std::string& input : inputs) values.emplace_back(tests::Numbers(input));
  const loops::LoopProgram program = tests::LowerText(text, values);
  std::string conditions;
  for (const loops::Value& value : program.values) {
    if (!value.loop) continue;
    for (const loops::Precondition& each : value.loop->preconditions)
      conditions += (conditions.empty() ? "" : ", ") + ToText(each, *program.graph);
  }
  return conditions;
}

TEST(IndexRulesTest, PlacesOfInputsAreReliedOn) {
  EXPECT_EQ(ConditionsOf(OneCall("index_select.default(a, 1, b)", 2), {"f32[4,3]", "i64[5] below 3"}),
            "0 <= b < 3");
  EXPECT_EQ(ConditionsOf(OneCall("gather.default(a, 0, b)", 2), {"f32[4,3]", "i64[2,3] below 4"}),
            "0 <= b < 4");
  EXPECT_EQ(ConditionsOf(OneCall("embedding.default(a, b)", 2), {"f32[4,3]", "i64[2,5] below 4"}),
            "0 <= b < 4");
  EXPECT_EQ(ConditionsOf(OneCall("take.default(a, b)", 2), {"f32[4,3]", "i64[2,5] below 4"}),
            "-12 <= b < 12");
  EXPECT_EQ(
      ConditionsOf(OneCall("index.Tensor(a, [b, c])", 3), {"f32[4,3]", "i64[5] below 4", "i64[5] below 3"}),
      "-4 <= b < 4, -3 <= c < 3");
}

TEST(IndexRulesTest, PlacesOfInputsAreForLoops) {
  for (const char* x : {"f32[4,3]", "f32[4,3] t", "f32[4,3] step", "f32[4,3] expand", "i64[4,3]"}) {
    for (const char* places : {"i64[5] below 3", "i64[5] below 3 step", "i32[5] below 3", "i64[] below 3"}) {
      ExpectLowered(OneCall("index_select.default(a, 0, b)", 2), {x, places});
      ExpectLowered(OneCall("index_select.default(a, -1, b)", 2), {x, places});
      ExpectLowered(OneCall("embedding.default(a, b)", 2), {x, places});
    }
    for (const char* places : {"i64[2,2] below 3", "i64[2,2] below 3 t", "i64[2,2] below 3 expand"}) {
      ExpectLowered(OneCall("gather.default(a, 0, b)", 2), {x, places});
      ExpectLowered(OneCall("gather.default(a, 1, b)", 2), {x, places});
      ExpectLowered(OneCall("embedding.default(a, b, 1)", 2), {x, places});
      ExpectLowered(OneCall("take.default(a, b)", 2), {x, places});
      ExpectLowered(OneCall("index.Tensor(a, [b])", 2), {x, places});
      ExpectLowered(OneCall("index.Tensor(a, [None, b])", 2), {x, places});
      ExpectLowered(OneCall("index.Tensor(a, [b, b])", 2), {x, places});
    }
  }
}

TEST(IndexRulesTest, SomeDimensionsBySeveralTensors) {
  for (const char* x : {"f32[4,3,5,2]", "f32[4,3,5,2] t", "f32[4,3,5,2] cl"}) {
    for (const char* other : {"i64[3] below 2", "i64[2,1] below 2", "i64[] below 2", "i64[1,4,1] below 2"}) {
      const std::vector<std::string> inputs = {x, "i64[2,3] below 2", other};
      for (const char* indices :
           {"[b, c]", "[None, b, c]", "[None, None, b, c]", "[b, None, c]", "[c, None, None, b]",
            "[None, c, None, b]", "[b, c, b, c]", "[None, None, None, c]"}) {
        // Not all of these can be broadcast together.
        const std::string text = OneCall(std::string("index.Tensor(a, ") + indices + ")", 3);
        if (std::string(other) == "i64[1,4,1] below 2")
          ExpectLowered(text, {x, "i64[4,3] below 2", other});
        else
          ExpectLowered(text, inputs);
      }
    }
  }
}

TEST(IndexRulesTest, NegativePlacesCountFromTheEndWhereLibtorchCountsThem) {
  const std::string negative = "x, n\ni = sub.Tensor(n, 3)\ny = ";
  const std::string end = "\nreturn (y,)";
  ExpectLowered(negative + "index.Tensor(x, [i])" + end, {"f32[4,3]", "i64[20] below 6"});
  ExpectLowered(negative + "index.Tensor(x, [i, i])" + end, {"f32[4,3] t", "i64[20] below 6"});
  ExpectLowered(negative + "take.default(x, i)" + end, {"f32[4,3] t", "i64[2,9] below 6"});
  ExpectLowered(negative + "take.default(x, i)" + end, {"f32[4]", "i64[2,9] below 6"}, {.symbolic = true});
}

TEST(IndexRulesTest, MasksAreForCalls) {
  const auto graph = [](const char* call) {
    return std::make_shared<const graph::Graph>(tests::ShortGraph(OneCall(call, 2)));
  };
  EXPECT_THROW(
      Lower(graph("index.Tensor(a, [b])"), {tests::Numbers("f32[4]"), tests::Numbers("bool[4]")}, {}),
      NotLowerable);
}

TEST(IndexRulesTest, WhereNothingIsToBeReadLibtorchIsCalled) {
  ExpectCall(OneCall("index_select.default(a, 0, b)", 2), {"f32[0,3]", "i64[0]"});
  ExpectCall(OneCall("embedding.default(a, b)", 2), {"f32[4,0]", "i64[5] below 4"});
  ExpectCall(OneCall("gather.default(a, 0, b)", 2), {"f32[4,3]", "i64[0,3]"});
  ExpectCall(OneCall("take.default(a, b)", 2), {"f32[4,3]", "i64[0]"});
  ExpectCall(OneCall("index.Tensor(a, [b])", 2), {"f32[4,3]", "i64[0]"});
}

TEST(IndexRulesTest, PlacesThatAreCountedAreForLoops) {
  const std::string counted = "x\ni = arange.start(1, 3)\nv = unsqueeze.default(i, 0)\ny = ";
  const std::string end = "\nreturn (y,)";
  ExpectLowered(counted + "embedding.default(x, v)" + end, {"f32[4,3]"});
  ExpectLowered(counted + "index_select.default(x, 1, i)" + end, {"f32[4,3] t"});
  ExpectLowered(counted + "gather.default(x, 1, v)" + end, {"f32[1,3]"});
  ExpectLowered(counted + "index.Tensor(x, [v])" + end, {"f32[4,3,5]"});
  ExpectLowered(counted + "index.Tensor(x, [i, v])" + end, {"f32[4,3,5]"});
}

TEST(IndexRulesTest, PlacesThatAreKnownAreNotReliedOn) {
  const std::string counted = "x\ni = arange.start(1, 3)\nv = unsqueeze.default(i, 0)\ny = ";
  EXPECT_EQ(ConditionsOf(counted + "embedding.default(x, v)\nreturn (y,)", {"f32[4,3]"}), "");
  EXPECT_EQ(ConditionsOf(counted + "embedding.default(x, v)\nreturn (y,)", {"f32[2,3]"}), "0 <= v < 2");
}

TEST(IndexRulesTest, LossesAgreeWithEager) {
  for (const char* dtype : {"f32", "f64"}) {
    const std::string operand = std::string(dtype) + "[3,4]";
    for (const char* reduction : {"0", "1", "2"}) {
      for (const char* name : {"mse_loss", "smooth_l1_loss", "huber_loss"}) {
        const std::string parameter = std::string(name) == "mse_loss" ? "" : ", 0.7";
        const std::string arguments = std::string(reduction) + parameter + ")";
        const std::string g = std::string(dtype) + (reduction[0] == '0' ? "[3,4]" : "[]");
        ExpectLowered(OneCall(std::string(name) + ".default(a, b, " + arguments, 2),
                      {operand, operand + " t"});
        ExpectLowered(OneCall(std::string(name) + "_backward.default(a, b, c, " + arguments, 3),
                      {g, operand, operand + " t"});
      }
    }
  }
}

}  // namespace
}  // namespace culprit::compiler::lower
