// SPDX-License-Identifier: Apache-2.0
#include "graph/operators/builtins.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "graph/operators/operator.h"

namespace culprit::graph {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

c10::IValue Call(const char* builtin, torch::jit::Stack arguments) {
  Operator::Get(builtin).Call(arguments);
  EXPECT_EQ(arguments.size(), 1);
  return arguments.at(0);
}

int64_t OnInts(const char* builtin, int64_t a, int64_t b) {
  return Call(builtin, {a, b}).toInt();
}

std::string ErrorOf(const char* builtin, torch::jit::Stack arguments) {
  try {
    Operator::Get(builtin).Call(arguments);
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "no error";
}

TEST(BuiltinsTest, FloorDivisionRoundsTowardsMinusInfinity) {
  EXPECT_EQ(OnInts("python::floordiv.int", 7, 2), 3);
  EXPECT_EQ(OnInts("python::floordiv.int", -7, 2), -4);
  EXPECT_EQ(OnInts("python::floordiv.int", 7, -2), -4);
  EXPECT_EQ(OnInts("python::floordiv.int", -7, -2), 3);
  EXPECT_EQ(OnInts("python::floordiv.int", -8, 2), -4);
}

TEST(BuiltinsTest, ModuloHasTheSignOfTheDivisor) {
  EXPECT_EQ(OnInts("python::mod.int", 7, 3), 1);
  EXPECT_EQ(OnInts("python::mod.int", -7, 3), 2);
  EXPECT_EQ(OnInts("python::mod.int", 7, -3), -2);
  EXPECT_EQ(OnInts("python::mod.int", -7, -3), -1);
  EXPECT_EQ(OnInts("python::mod.int", -6, 3), 0);
  EXPECT_EQ(OnInts("python::mod.int", kLowest, -1), 0);
}

TEST(BuiltinsTest, DivisionOfIntsGivesAFloat) {
  EXPECT_EQ(Call("python::truediv.int", {7, 2}).toDouble(), 3.5);
  EXPECT_EQ(Call("python::truediv.int", {6, 2}).toDouble(), 3.0);
}

TEST(BuiltinsTest, DivisionByZeroIsAnError) {
  EXPECT_EQ(ErrorOf("python::floordiv.int", {5, 0}), "integer division of 5 by zero");
  EXPECT_EQ(ErrorOf("python::mod.int", {5, 0}), "integer modulo of 5 by zero");
  EXPECT_EQ(ErrorOf("python::truediv.int", {5, 0}), "division of 5 by zero");
}

TEST(BuiltinsTest, OverflowIsAnError) {
  EXPECT_EQ(ErrorOf("python::add.int", {kHighest, 1}), "integer overflow in 9223372036854775807 + 1");
  EXPECT_EQ(ErrorOf("python::sub.int", {kLowest, 1}), "integer overflow in -9223372036854775808 - 1");
  EXPECT_EQ(ErrorOf("python::mul.int", {kHighest, 2}), "integer overflow in 9223372036854775807 * 2");
  EXPECT_EQ(ErrorOf("python::neg.int", {kLowest}), "integer overflow in 0 - -9223372036854775808");
  EXPECT_EQ(ErrorOf("python::floordiv.int", {kLowest, -1}), "integer overflow in 0 - -9223372036854775808");
  EXPECT_EQ(ErrorOf("python::pow.int", {2, 63}), "integer overflow in 4611686018427387904 * 2");
}

TEST(BuiltinsTest, TheLargestResultsAreNoOverflow) {
  EXPECT_EQ(OnInts("python::add.int", kHighest - 1, 1), kHighest);
  EXPECT_EQ(OnInts("python::floordiv.int", kLowest, 1), kLowest);
  EXPECT_EQ(OnInts("python::pow.int", -2, 63), kLowest);
}

TEST(BuiltinsTest, PowersOfSmallBasesTakeNoTime) {
  EXPECT_EQ(OnInts("python::pow.int", 0, 0), 1);
  EXPECT_EQ(OnInts("python::pow.int", 0, kHighest), 0);
  EXPECT_EQ(OnInts("python::pow.int", 1, kHighest), 1);
  EXPECT_EQ(OnInts("python::pow.int", -1, kHighest), -1);
  EXPECT_EQ(OnInts("python::pow.int", -1, kHighest - 1), 1);
  EXPECT_EQ(ErrorOf("python::pow.int", {2, -1}), "integer power 2 ** -1 is not an integer");
}

TEST(BuiltinsTest, ComparesAndChooses) {
  EXPECT_EQ(OnInts("python::max.int", -3, 2), 2);
  EXPECT_EQ(OnInts("python::min.int", -3, 2), -3);
  EXPECT_TRUE(Call("python::lt.int", {1, 2}).toBool());
  EXPECT_FALSE(Call("python::gt.int", {1, 2}).toBool());
  EXPECT_TRUE(Call("python::le.int", {2, 2}).toBool());
  EXPECT_TRUE(Call("python::ge.int", {2, 2}).toBool());
  EXPECT_FALSE(Call("python::ne.int", {2, 2}).toBool());
  EXPECT_TRUE(Call("python::eq.int", {2, 2}).toBool());
  EXPECT_FALSE(Call("python::not_.bool", {true}).toBool());
}

TEST(BuiltinsTest, FloatsBecomeIntsTheWayTheyAreAskedTo) {
  EXPECT_EQ(Call("python::int.float", {-2.5}).toInt(), -2);
  EXPECT_EQ(Call("python::floor.float", {-2.5}).toInt(), -3);
  EXPECT_EQ(Call("python::ceil.float", {-2.5}).toInt(), -2);
  EXPECT_EQ(Call("python::float.int", {3}).toDouble(), 3.0);
  EXPECT_EQ(ErrorOf("python::int.float", {1e19}), "int() of 1e+19 is not a 64-bit integer");
  EXPECT_EQ(ErrorOf("python::floor.float", {std::nan("")}), "floor() of nan is not a 64-bit integer");
}

TEST(BuiltinsTest, GetitemCountsFromBothEnds) {
  const std::vector<int64_t> list = {10, 20, 30};
  EXPECT_EQ(Call("python::getitem.int", {list, 0}).toInt(), 10);
  EXPECT_EQ(Call("python::getitem.int", {list, -1}).toInt(), 30);
  const std::vector<at::Tensor> tensors = {at::empty({1}), at::empty({2})};
  EXPECT_TRUE(Call("python::getitem.Tensor", {tensors, 1}).toTensor().is_same(tensors[1]));
}

TEST(BuiltinsTest, GetitemBeyondTheListIsAnError) {
  const std::vector<int64_t> list = {10, 20, 30};
  EXPECT_EQ(ErrorOf("python::getitem.int", {list, 3}), "index 3 is out of range for a list of 3");
  EXPECT_EQ(ErrorOf("python::getitem.int", {list, -4}), "index -4 is out of range for a list of 3");
  EXPECT_EQ(ErrorOf("python::getitem.Tensor", {std::vector<at::Tensor>{}, 0}),
            "index 0 is out of range for a list of 0");
}

TEST(BuiltinsTest, AsksATensorForItsSizes) {
  const at::Tensor tensor = at::arange(24).reshape({2, 3, 4}).select(0, 1).t();
  EXPECT_EQ(Call("aten::sym_size", {tensor}).toIntVector(), (std::vector<int64_t>{4, 3}));
  EXPECT_EQ(Call("aten::sym_stride", {tensor}).toIntVector(), (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(Call("aten::sym_size.int", {tensor, -1}).toInt(), 3);
  EXPECT_EQ(Call("aten::sym_stride.int", {tensor, 1}).toInt(), 4);
  EXPECT_EQ(Call("aten::sym_numel", {tensor}).toInt(), 12);
  EXPECT_EQ(Call("aten::sym_storage_offset", {tensor}).toInt(), 12);
}

TEST(BuiltinsTest, NoTwoHaveTheSameName) {
  std::set<std::string> names;
  for (const Builtin& builtin : AllBuiltins()) {
    EXPECT_TRUE(names.insert(toString(builtin.schema.operator_name())).second) << builtin.schema;
    EXPECT_EQ(FindBuiltin(builtin.schema.name(), builtin.schema.overload_name()), &builtin);
  }
  EXPECT_EQ(FindBuiltin("python::add", "Tensor"), nullptr);
}

}  // namespace
}  // namespace culprit::graph
