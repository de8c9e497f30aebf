// SPDX-License-Identifier: Apache-2.0
//
// What ranks that come all hear from each other.
#include "ranks/agree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ranks/rank_processes.h"

namespace culprit::tests {
namespace {

using capture::PlaceView;
using ranks::Agree;
using testing::Each;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

constexpr char kHelp[] =
    "\n  help: run the same program on all ranks, with inputs that differ in sizes and numbers only";

/// With 2 and with 4 ranks.
class AgreeTest : public testing::TestWithParam<int> {
 protected:
  /// What the ranks hear if each has the view that the function gives it.
  static std::vector<std::string> Heard(const std::function<PlaceView(int rank)>& view_of) {
    const uint16_t port = FreePort();
    return RunRanks(GetParam(), [&](int rank) {
      const auto group = JoinAt(port, rank, GetParam());
      return TextOf(Agree(*group, view_of(rank), 20s));
    });
  }
  /// The same, if all but the last have a view with an x of [2, 3].
  static std::vector<std::string> HeardOfOddOne(const PlaceView& odd) {
    return Heard([&](int rank) { return rank == GetParam() - 1 ? odd : ViewWith({2, 3}); });
  }
  static std::string Differ(std::string_view how) {
    const int odd = GetParam() - 1;
    return fmt::format("forward: from net.py:12: error: ranks 0 and {} differ: {} on rank {}", odd, how, odd);
  }
};

INSTANTIATE_TEST_SUITE_P(Ranks, AgreeTest, testing::Values(2, 4), testing::PrintToStringParamName());

TEST_P(AgreeTest, EqualViews) {
  EXPECT_THAT(Heard([](int) {
                return ViewWith({2, 3});
              }),
              Each(GetParam() == 2 ? "agreed: [2, 3] [2, 3]" : "agreed: [2, 3] [2, 3] [2, 3] [2, 3]"));
}

TEST_P(AgreeTest, DifferentSizesComeInTheOrderOfRanks) {
  EXPECT_THAT(Heard([](int rank) {
                return ViewWith({rank + 2, 3});
              }),
              Each(GetParam() == 2 ? "agreed: [2, 3] [3, 3]" : "agreed: [2, 3] [3, 3] [4, 3] [5, 3]"));
}

TEST_P(AgreeTest, DifferentNumbers) {
  EXPECT_THAT(Heard([](int rank) {
                return PlaceView{.place = "f",
                                 .inputs = {{.name = "n", .type = "number", .number = rank * 10}}};
              }),
              Each(GetParam() == 2 ? "agreed: 0 10" : "agreed: 0 10 20 30"));
}

TEST_P(AgreeTest, EmptyGraphs) {
  EXPECT_THAT(Heard([](int) { return PlaceView{.place = "f"}; }),
              Each(GetParam() == 2 ? "agreed: empty empty" : "agreed: empty empty empty empty"));
}

TEST_P(AgreeTest, ABreakOnOneRankOnlyIsNamedOnEveryRank) {
  PlaceView odd = ViewWith({2, 3});
  odd.end = {{.code = "B02", .reason = "a branch depends on numbers", .place = "net.py:29"}};
  EXPECT_THAT(HeardOfOddOne(odd), Each(Differ("the graph ends with a return on rank 0 and with break B02 at "
                                              "net.py:29 (a branch depends on numbers)") +
                                       kHelp));
}

TEST_P(AgreeTest, AnotherTypeIsNamedOnEveryRank) {
  PlaceView odd = ViewWith({2, 3});
  odd.inputs[0].type = "int64 tensor";
  EXPECT_THAT(HeardOfOddOne(odd),
              Each(Differ("x is a float32 tensor on rank 0 and an int64 tensor") + kHelp));
}

TEST_P(AgreeTest, AnotherNumberOfDimensionsIsNamedOnEveryRank) {
  EXPECT_THAT(HeardOfOddOne(ViewWith({2, 3, 4})),
              Each(Differ("x is a float32 tensor of 2 dimensions on rank 0 and of 3") + kHelp));
}

TEST_P(AgreeTest, AnotherNumberOfInputsIsNamedOnEveryRank) {
  PlaceView odd = ViewWith({2, 3});
  odd.inputs.push_back({.name = "mask", .type = "bool tensor"});
  EXPECT_THAT(HeardOfOddOne(odd),
              Each(Differ("the graph has 1 input on rank 0 and 2") +
                   fmt::format("\n  note: only on rank {}: mask{}", GetParam() - 1, kHelp)));
}

TEST_P(AgreeTest, AnotherPlaceIsNamedOnEveryRank) {
  PlaceView odd = ViewWith({2, 3});
  odd.place = "forward: from net.py:30";
  const std::vector<std::string> heard = HeardOfOddOne(odd);
  EXPECT_THAT(
      heard, Each(fmt::format("forward: from net.py:12: error: ranks 0 and {0} differ: rank 0 is at forward: "
                              "from net.py:12 and rank {0} at forward: from net.py:30{1}",
                              GetParam() - 1, kHelp)));
}

TEST_P(AgreeTest, ARankThatCannotCaptureIsNamedOnEveryRankWhateverElseDiffers) {
  const PlaceView odd = {.place = "forward: from net.py:12", .refusal = "no rule for aten::odd"};
  EXPECT_THAT(HeardOfOddOne(odd),
              Each(fmt::format(
                  "forward: from net.py:12: error: rank {} of {} cannot capture it: no rule for aten::odd",
                  GetParam() - 1, GetParam())));
}

TEST_P(AgreeTest, AViewThatIsTooLargeIsNamedOnEveryRank) {
  PlaceView large = ViewWith({2, 3});
  large.inputs.assign(100'000, large.inputs[0]);
  const int odd = GetParam() - 1;
  std::vector<std::string> heard = HeardOfOddOne(large);
  EXPECT_THAT(heard, Each(fmt::format(
                         "forward: from net.py:12: error: what rank {} of {} has sent would have 6.4 MiB, "
                         "and at most 4.0 MiB are sent",
                         odd, GetParam())));
}

TEST_P(AgreeTest, ManyRoundsInARow) {
  const uint16_t port = FreePort();
  const int size = GetParam();
  EXPECT_THAT(RunRanks(size,
                       [&](int rank) {
                         const auto group = JoinAt(port, rank, size);
                         for (int64_t round = 0; round < 100; ++round) {
                           const auto views = Agree(*group, ViewWith({round, rank}), 20s);
                           if (views.index() != 0) return TextOf(views);
                           for (int other = 0; other < size; ++other) {
                             if (std::get<0>(views)[other] != ViewWith({round, other})) return TextOf(views);
                           }
                         }
                         return std::string("right");
                       }),
              Each("right"));
}

TEST_P(AgreeTest, AfterADisagreementTheNextRoundIsAgreed) {
  const uint16_t port = FreePort();
  const int size = GetParam();
  EXPECT_THAT(RunRanks(size,
                       [&](int rank) {
                         const auto group = JoinAt(port, rank, size);
                         const auto first = Agree(*group, ViewWith(std::vector<int64_t>(rank + 1, 2)), 20s);
                         const auto second = Agree(*group, ViewWith({5}), 20s);
                         return fmt::format("{} {}", first.index(), second.index());
                       }),
              Each("1 0"));
}

}  // namespace
}  // namespace culprit::tests
