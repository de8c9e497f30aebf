// SPDX-License-Identifier: Apache-2.0
//
// What becomes of a program whose ranks agree before they compile.
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/ranks/rank_function.h"
#include "tests/ranks/rank_processes.h"

namespace culprit::tests {
namespace {

using c10::IValue;
using testing::AllOf;
using testing::Each;
using testing::StartsWith;

constexpr char kDouble[] = "def f(x: Tensor):\n  return x * 2\n";
constexpr char kHelp[] =
    "\n  help: run the same program on all ranks, with inputs that differ in sizes and numbers only";
constexpr char kSlowHelp[] =
    "\n  help: see what that rank is doing; to wait longer, set CULPRIT_RANKS_TIMEOUT";

/// With 2 and with 4 ranks.
class CapturedRanksTest : public testing::TestWithParam<int> {
 protected:
  using Arguments = std::function<std::vector<IValue>(int rank)>;

  static int odd() { return GetParam() - 1; }

  /// Each rank's function, from a process that has nothing but that.
  static std::vector<std::string> Run(const char* source, const RankFunctionOptions& options,
                                      const std::function<std::string(RankFunction& f, int rank)>& function) {
    RankFunctionOptions at = options;
    at.port = FreePort();
    return RunRanks(GetParam(), [&](int rank) {
      RankFunction f(rank, GetParam(), source, at);
      return function(f, rank);
    });
  }
  /// What each rank hears in the calls with these arguments, and what it has captured then.
  static std::vector<std::string> Calls(const char* source, const std::vector<Arguments>& calls,
                                        const RankFunctionOptions& options = {}) {
    return Run(source, options, [&](RankFunction& f, int rank) {
      std::vector<std::string> heard;
      for (const Arguments& call : calls) heard.push_back(f.Call(call(rank)));
      return fmt::format("{}; {}", fmt::join(heard, ", "), f.Captured());
    });
  }
  static std::string Differ(const std::string& how) {
    return fmt::format("f: from its beginning: error: ranks 0 and {} differ: {} on rank {}{}", odd(), how,
                       odd(), kHelp);
  }
};

INSTANTIATE_TEST_SUITE_P(Ranks, CapturedRanksTest, testing::Values(2, 4), testing::PrintToStringParamName());

std::vector<IValue> Rows(int64_t rows) {
  return {at::ones({rows, 3})};
}

TEST_P(CapturedRanksTest, DifferentBatchSizesAreASymbolAtOnce) {
  const auto grow = [](int rank) { return Rows(rank + 2); };
  const auto other = [](int rank) { return Rows(rank * 3 + 7); };
  EXPECT_THAT(Calls(kDouble, {grow, other, other}), Each("right, right, right; 1: x [s0, 3]"));
}

TEST_P(CapturedRanksTest, EqualSizesAreFixed) {
  const auto same = [](int) { return Rows(4); };
  EXPECT_THAT(Calls(kDouble, {same, same}), Each("right, right; 1: x [4, 3]"));
}

TEST_P(CapturedRanksTest, ASizeOfTheLastRankOnlyIsASymbolOnAllRanks) {
  const auto one_differs = [](int rank) { return Rows(rank == odd() ? 9 : 4); };
  EXPECT_THAT(Calls(kDouble, {one_differs}), Each("right; 1: x [s0, 3]"));
}

TEST_P(CapturedRanksTest, SizesThatAreEqualOnEveryRankAreOneSymbol) {
  const auto pair = [](int rank) {
    return std::vector<IValue>{at::ones({rank + 2, 3}), at::ones({rank + 2})};
  };
  const auto unlike = [](int rank) {
    return std::vector<IValue>{at::ones({rank + 2, 3}), at::ones({9 - rank})};
  };
  const char* source = "def f(x: Tensor, y: Tensor):\n  return x.sum() + y.sum()\n";
  EXPECT_THAT(Calls(source, {pair}), Each("right; 1: x [s0, 3], y [s0]"));
  EXPECT_THAT(Calls(source, {unlike}), Each("right; 1: x [s0, 3], y [s1]"));
}

TEST_P(CapturedRanksTest, DifferentNumbersAreASymbolAtOnce) {
  const auto scalar = [](int rank) { return std::vector<IValue>{at::ones({4}), rank + 3}; };
  EXPECT_THAT(Calls("def f(x: Tensor, n: int):\n  return x * n\n", {scalar}), Each("right; 1: n s0, x [4]"));
}

TEST_P(CapturedRanksTest, AnEmptyGraphTakesPart) {
  const auto grow = [](int rank) { return Rows(rank + 2); };
  EXPECT_THAT(Calls("def f(x: Tensor):\n  return x\n", {grow, grow}),
              Each(AllOf(StartsWith("right, right; 1: "))));
  EXPECT_THAT(Calls("def f(x: Tensor):\n  print('')\n  return x * 2\n", {grow, grow}),
              Each("right, right; 2: x [s0, 3]"));
}

TEST_P(CapturedRanksTest, OneStaysANumberOnItsRankAndTheOthersDoNotWait) {
  const auto one = [](int rank) { return Rows(rank == 0 ? 1 : rank + 3); };
  const auto empty = [](int rank) { return Rows(rank == 0 ? 0 : rank + 5); };
  const auto more = [](int rank) { return Rows(rank + 6); };
  const std::vector<std::string> captured = Calls(kDouble, {one, empty, more, more});
  EXPECT_EQ(captured[0], "right, right, right, right; 3: x [s0, 3]");
  EXPECT_EQ(captured[odd()], "right, right, right, right; 1: x [s0, 3]");
}

TEST_P(CapturedRanksTest, TogetherOneIsCapturedAsOftenOnAllRanks) {
  const auto one = [](int rank) { return Rows(rank == 0 ? 1 : rank + 3); };
  const auto empty = [](int rank) { return Rows(rank == 0 ? 0 : rank + 5); };
  const auto more = [](int rank) { return Rows(rank + 6); };
  EXPECT_THAT(Calls(kDouble, {one, empty, more, one, empty, more}, {.together = true}),
              Each("right, right, right, right, right, right; 3: x [s0, 3]"));
}

TEST_P(CapturedRanksTest, ARankThatCapturesAgainMakesAllDoSoIfAskedTo) {
  const auto same = [](int) { return Rows(4); };
  const auto one_differs = [](int rank) { return Rows(rank == odd() ? 9 : 4); };
  EXPECT_THAT(Calls(kDouble, {same, one_differs, one_differs}, {.together = true}),
              Each("right, right, right; 2: x [s0, 3]"));
  const std::vector<std::string> alone = Calls(kDouble, {same, one_differs, one_differs});
  EXPECT_EQ(alone[0], "right, right, right; 1: x [4, 3]");
  EXPECT_EQ(alone[odd()], "right, right, right; 2: x [s0, 3]");
}

TEST_P(CapturedRanksTest, TheLogSaysThatAnotherRankIsTheReason) {
  EXPECT_EQ(Run(kDouble, {.together = true},
                [](RankFunction& f, int rank) {
                  f.Call(Rows(4));
                  f.Call(Rows(rank == odd() ? 9 : 4));
                  return f.function().log().back();
                })[0],
            "captured again: another rank does");
}

TEST_P(CapturedRanksTest, ABreakOnOneRankOnlyIsNamedOnEveryRank) {
  const char* source = "def f(x: Tensor):\n  if x.size(0) > 4:\n    print('')\n  return x * 2\n";
  const auto one_prints = [](int rank) { return Rows(rank == odd() ? 9 : 4); };
  EXPECT_THAT(
      Calls(source, {one_prints}),
      Each(Differ("the graph ends with a return on rank 0 and with break B04 at <string>:3 (prim::Print)") +
           "; 0"));
}

TEST_P(CapturedRanksTest, AnotherWayBehindABreakIsNamedOnEveryRank) {
  const char* source =
      "def f(x: Tensor):\n  if bool(x.sum() > 0):\n    return x * 2\n  print('')\n  return x * 3\n";
  const auto one_is_zero = [](int rank) {
    return std::vector<IValue>{rank == odd() ? at::zeros({2}) : at::ones({2})};
  };
  EXPECT_THAT(
      Calls(source, {one_is_zero}),
      Each(StartsWith(fmt::format("f: from <string>:2: error: ranks 0 and {0} differ: the graph has 2 "
                                  "inputs on rank 0 and 1 on rank {0}\n  note: only on rank 0: x{1}; 1: ",
                                  odd(), kHelp))));
}

TEST_P(CapturedRanksTest, AnotherTypeOrNumberOfDimensionsIsNamedOnEveryRank) {
  const auto type = [](int rank) {
    return std::vector<IValue>{at::ones({2, 3}, rank == odd() ? at::kLong : at::kFloat)};
  };
  EXPECT_THAT(Calls(kDouble, {type}),
              Each(Differ("x is a Float tensor on rank 0 and a Long tensor") + "; 0"));
  const auto dimensions = [](int rank) {
    return std::vector<IValue>{rank == odd() ? at::ones({2, 3, 4}) : at::ones({2, 3})};
  };
  EXPECT_THAT(Calls(kDouble, {dimensions}),
              Each(Differ("x is a Float tensor of 2 dimensions on rank 0 and of 3") + "; 0"));
}

TEST_P(CapturedRanksTest, AfterADisagreementTheNextCallAgrees) {
  const auto type = [](int rank) {
    return std::vector<IValue>{at::ones({2, 3}, rank == odd() ? at::kLong : at::kFloat)};
  };
  const auto grow = [](int rank) { return Rows(rank + 2); };
  EXPECT_THAT(Calls(kDouble, {type, grow}), Each(testing::EndsWith(", right; 1: x [s0, 3]")));
}

TEST_P(CapturedRanksTest, ARankThatIsKilledInTheMiddleIsNamedOnceAndTheProgramGoesOn) {
  for (const bool together : {false, true}) {
    std::vector<std::string> heard =
        Run("def f(x: Tensor, second: bool):\n  if second:\n    print('')\n  return x * 2\n",
            {.timeout = 2, .together = together}, [](RankFunction& f, int rank) {
              std::string text = f.Call({at::ones({rank + 2}), false});
              if (rank == odd()) raise(SIGKILL);
              const auto later = f.Call({at::ones({rank + 2}), true});
              text += " " + later + " " + f.Call({at::ones({rank + 2}), true});
              return fmt::format("{}; {}", text, fmt::join(f.warnings(), "|"));
            });
    EXPECT_EQ(heard.back(), "killed by signal 9");
    heard.pop_back();
    EXPECT_THAT(heard,
                Each(fmt::format("right right right; f: from {} on it runs as written: rank {} of {} did "
                                 "not come within 2 s{}",
                                 together ? "its beginning" : "<string>:2", odd(), GetParam(), kSlowHelp)))
        << together;
  }
}

TEST_P(CapturedRanksTest, ARankThatNeverComesIsNamedOnceAndTheProgramGoesOn) {
  RankFunctionOptions options = {.port = FreePort(), .timeout = 2};
  std::vector<std::string> heard = RunRanks(GetParam(), [&](int rank) -> std::string {
    if (rank == odd()) return "elsewhere";
    RankFunction f(rank, GetParam(), kDouble, options);
    const std::string first = f.Call(Rows(rank + 2));
    return fmt::format("{} {}; {}", first, f.Call(Rows(7)), fmt::join(f.warnings(), "|"));
  });
  heard.pop_back();
  EXPECT_THAT(heard,
              Each(fmt::format("right right; f: from its beginning on it runs as written: rank {} of {} "
                               "did not come within 2 s{}",
                               odd(), GetParam(), kSlowHelp)));
}

TEST_P(CapturedRanksTest, WhereAProgramHasToBeOneGraphAMissingRankIsAnError) {
  RankFunctionOptions options = {.port = FreePort(), .timeout = 2, .fullgraph = true};
  std::vector<std::string> heard = RunRanks(GetParam(), [&](int rank) -> std::string {
    if (rank == odd()) return "elsewhere";
    return RankFunction(rank, GetParam(), kDouble, options).Call(Rows(4));
  });
  heard.pop_back();
  EXPECT_THAT(heard, Each(fmt::format("f: from its beginning: rank {} of {} did not come within 2 s{}", odd(),
                                      GetParam(), kSlowHelp)));
}

TEST_P(CapturedRanksTest, WithoutRank0TheProgramGoesOnWithOneWarning) {
  RankFunctionOptions options = {.port = FreePort(), .timeout = 1};
  const char* source = "def f(x: Tensor):\n  y = x * 2\n  print('')\n  return y * 2\n";
  std::vector<std::string> heard = RunRanks(GetParam(), [&](int rank) -> std::string {
    if (rank == 0) return "elsewhere";
    RankFunction f(rank, GetParam(), source, options);
    const std::string first = f.Call(Rows(4));
    return fmt::format("{} {} {}; {}", first, f.Call(Rows(5)), f.warnings().size(), f.warnings()[0]);
  });
  heard.erase(heard.begin());
  EXPECT_THAT(heard,
              Each(StartsWith(fmt::format(
                  "right right 1; f: from its beginning on it runs as written: rank 0 of {}, where the "
                  "ranks meet, did not answer at 127.0.0.1:{} within 1 s\n  help: see whether rank 0 has ",
                  GetParam(), options.port))));
}

}  // namespace
}  // namespace culprit::tests
