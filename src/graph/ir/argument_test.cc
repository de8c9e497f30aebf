// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/argument.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace culprit::graph {
namespace {

Argument Constant(c10::IValue value) {
  return Argument(std::move(value));
}

Argument List(Argument::List elements) {
  return Argument(std::move(elements));
}

TEST(ArgumentTest, IsNoneUnlessToldOtherwise) {
  EXPECT_TRUE(Argument().is_none());
  EXPECT_EQ(Argument(), Constant(c10::IValue()));
  EXPECT_FALSE(Constant(false).is_none());
  EXPECT_FALSE(Argument(Argument::List{}).is_none());
}

TEST(ArgumentTest, IntFloatAndBoolOfTheSameSizeDiffer) {
  const std::vector<Argument> ones = {Constant(int64_t{1}), Constant(1.0), Constant(true),
                                      Constant(c10::complex<double>(1, 0)), Constant("1")};
  for (size_t i = 0; i < ones.size(); ++i) {
    for (size_t j = 0; j < ones.size(); ++j) EXPECT_EQ(ones[i] == ones[j], i == j) << i << " " << j;
  }
}

TEST(ArgumentTest, ZeroHasASign) {
  EXPECT_FALSE(Constant(0.0) == Constant(-0.0));
  EXPECT_FALSE(Constant(c10::complex<double>(0, 0.0)) == Constant(c10::complex<double>(0, -0.0)));
  EXPECT_FALSE(Constant(c10::complex<double>(0.0, 0)) == Constant(c10::complex<double>(-0.0, 0)));
}

TEST(ArgumentTest, ANanEqualsANanWhateverItsBits) {
  const double usual = std::numeric_limits<double>::quiet_NaN();
  const auto unusual = std::bit_cast<double>(uint64_t{0xfff8000000000123});
  EXPECT_EQ(Constant(usual), Constant(unusual));
  EXPECT_EQ(Constant(c10::complex<double>(usual, 1)), Constant(c10::complex<double>(unusual, 1)));
  EXPECT_FALSE(Constant(usual) == Constant(1.0));
}

TEST(ArgumentTest, StringsAndDevicesAreComparedByContents) {
  EXPECT_EQ(Constant("floor"), Constant(std::string("floor")));
  EXPECT_FALSE(Constant("floor") == Constant("trunc"));
  EXPECT_EQ(Constant(at::Device("cuda:0")), Constant(at::Device(at::kCUDA, 0)));
  EXPECT_FALSE(Constant(at::Device("cuda")) == Constant(at::Device("cuda:0")));
  EXPECT_FALSE(Constant(at::Device("cpu")) == Constant("cpu"));
}

TEST(ArgumentTest, ListsAreComparedElementByElement) {
  const Argument nested = List({ValueId{1}, Argument::Ints({2, 3})});
  EXPECT_EQ(nested, List({ValueId{1}, Argument::Ints({2, 3})}));
  EXPECT_FALSE(nested == List({ValueId{1}, Argument::Ints({2, 4})}));
  EXPECT_FALSE(nested == List({ValueId{2}, Argument::Ints({2, 3})}));
  EXPECT_FALSE(nested == List({ValueId{1}}));
}

TEST(ArgumentTest, AValueIsNoIntAndNoListOfOne) {
  EXPECT_FALSE(Argument(ValueId{1}) == Constant(int64_t{1}));
  EXPECT_FALSE(Argument(ValueId{1}) == List({ValueId{1}}));
  EXPECT_FALSE(Argument() == Argument(Argument::List{}));
}

TEST(ArgumentTest, ValuesAreVisitedInOrderOfAppearance) {
  const Argument argument =
      List({ValueId{5}, Constant(int64_t{9}), List({ValueId{2}, ValueId{5}}), Argument(), ValueId{0}});
  std::vector<uint32_t> seen;
  ForEachValue(argument, [&](ValueId id) { seen.push_back(Index(id)); });
  EXPECT_EQ(seen, (std::vector<uint32_t>{5, 2, 5, 0}));
}

TEST(ArgumentTest, MappingReplacesValuesAtEveryDepthAndNothingElse) {
  const Argument argument = List({ValueId{1}, List({ValueId{2}, Constant(int64_t{1})})});
  const Argument mapped = MapValues(
      argument, [](ValueId id) { return id == ValueId{1} ? Argument(ValueId{7}) : Argument::Ints({4}); });
  EXPECT_EQ(mapped, List({ValueId{7}, List({Argument::Ints({4}), Constant(int64_t{1})})}));
}

}  // namespace
}  // namespace culprit::graph
