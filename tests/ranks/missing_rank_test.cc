// SPDX-License-Identifier: Apache-2.0
//
// What those that come hear of those that do not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "ranks/agree.h"
#include "ranks/join.h"
#include "tests/lib/process_census.h"
#include "tests/ranks/rank_processes.h"

namespace culprit::tests {
namespace {

using ranks::Agree;
using testing::ElementsAre;
using testing::StartsWith;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

constexpr char kMissing2[] =
    "forward: from net.py:12: error: rank 2 of 4 did not come within 1 s\n"
    "  help: see what that rank is doing; to wait longer, set CULPRIT_RANKS_TIMEOUT";
constexpr char kKilled[] = "killed by signal 9";

std::string Die() {
  raise(SIGKILL);
  return "";
}

TEST(MissingRankTest, ARankThatIsKilledBetweenRoundsIsNamed) {
  const uint16_t port = FreePort();
  EXPECT_THAT(RunRanks(4,
                       [&](int rank) {
                         const auto group = JoinAt(port, rank, 4);
                         const auto first = Agree(*group, ViewWith({2}), 20s);
                         if (rank == 2) return Die();
                         return fmt::format("{} {}", first.index(), TextOf(Agree(*group, ViewWith({2}), 1s)));
                       }),
              ElementsAre(std::string("0 ") + kMissing2, std::string("0 ") + kMissing2, kKilled,
                          std::string("0 ") + kMissing2));
}

TEST(MissingRankTest, ARankThatIsKilledWhileItWaitsHasComeAndIsNamedInTheNextRound) {
  const uint16_t port = FreePort();
  EXPECT_THAT(RunRanks(4,
                       [&](int rank) {
                         const auto group = JoinAt(port, rank, 4);
                         std::jthread killer;
                         if (rank == 2) {
                           killer = std::jthread([] {
                             std::this_thread::sleep_for(500ms);
                             Die();
                           });
                         } else {
                           std::this_thread::sleep_for(1200ms);
                         }
                         const auto first = Agree(*group, ViewWith({rank}), 10s);
                         return TextOf(first) + "\n" + TextOf(Agree(*group, ViewWith({2}), 1s));
                       }),
              ElementsAre(std::string("agreed: [0] [1] [2] [3]\n") + kMissing2,
                          std::string("agreed: [0] [1] [2] [3]\n") + kMissing2, kKilled,
                          std::string("agreed: [0] [1] [2] [3]\n") + kMissing2));
}

TEST(MissingRankTest, ARankThatNeverComesIsNamedInTime) {
  const uint16_t port = FreePort();
  const Gate gate;
  EXPECT_THAT(RunRanks(4,
                       [&](int rank) {
                         if (rank == 2) return std::string("elsewhere");
                         const auto group = JoinAt(port, rank, 4);
                         gate.Pass(3);
                         const auto start = Clock::now();
                         const std::string text = TextOf(Agree(*group, ViewWith({2}), 1s));
                         return Clock::now() - start < 3s ? text : "late: " + text;
                       }),
              ElementsAre(kMissing2, kMissing2, "elsewhere", kMissing2));
}

TEST(MissingRankTest, AllThatDoNotComeAreNamed) {
  const uint16_t port = FreePort();
  const Gate gate;
  const std::string missing =
      "forward: from net.py:12: error: ranks 1 and 3 of 4 did not come within 0.5 s\n"
      "  help: see what those ranks are doing; to wait longer, set CULPRIT_RANKS_TIMEOUT";
  EXPECT_THAT(RunRanks(4,
                       [&](int rank) {
                         const auto group = JoinAt(port, rank, 4);
                         gate.Pass(4);
                         if (rank % 2 == 1) return std::string("elsewhere");
                         return TextOf(Agree(*group, ViewWith({2}), 500ms));
                       }),
              ElementsAre(missing, "elsewhere", missing, "elsewhere"));
}

TEST(MissingRankTest, ARankThatComesTooLateHearsTheSameAndIsInTheNextRound) {
  const uint16_t port = FreePort();
  const Gate gate;
  const std::string missing = "forward: from net.py:12: error: rank 1 of 2 did not come within 0.5 s\n";
  const std::string help = "  help: see what that rank is doing; to wait longer, set CULPRIT_RANKS_TIMEOUT\n";
  EXPECT_THAT(RunRanks(2,
                       [&](int rank) {
                         const auto group = JoinAt(port, rank, 2);
                         gate.Pass(2);
                         if (rank == 1) std::this_thread::sleep_for(1500ms);
                         const std::string first = TextOf(Agree(*group, ViewWith({rank}), 500ms));
                         return first + "\n" + TextOf(Agree(*group, ViewWith({rank + 5}), 20s));
                       }),
              ElementsAre(missing + help + "agreed: [5] [6]",
                          missing + "  note: this is rank 1: it came when the others had gone on\n" + help +
                              "agreed: [5] [6]"));
}

std::string Rank0DoesNotAnswer(int size, uint16_t port) {
  return fmt::format(
      "forward: from net.py:12: error: rank 0 of {}, where the ranks meet, is gone, or hangs: 127.0.0.1:{} "
      "does not answer any more",
      size, port);
}

/// How what libtorch adds begins.
std::string Rank0IsGone(int size, uint16_t port) {
  return Rank0DoesNotAnswer(size, port) + "\n  note: libtorch says: ";
}

TEST(MissingRankTest, ThatRank0HasDiedBetweenRoundsIsSaid) {
  const uint16_t port = FreePort();
  EXPECT_THAT(RunRanks(2,
                       [&](int rank) {
                         const auto group = JoinAt(port, rank, 2);
                         (void)Agree(*group, ViewWith({2}), 20s);
                         if (rank == 0) return Die();
                         std::this_thread::sleep_for(300ms);
                         return TextOf(Agree(*group, ViewWith({2}), 10s));
                       }),
              ElementsAre(kKilled, StartsWith(Rank0IsGone(2, port))));
}

TEST(MissingRankTest, ThatRank0DiesWhileOthersWaitIsSaidAtOnceAndFromThenOn) {
  const uint16_t port = FreePort();
  const Gate gate;
  const auto is_gone = StartsWith(Rank0IsGone(4, port));
  EXPECT_THAT(RunRanks(4,
                       [&](int rank) {
                         const auto group = JoinAt(port, rank, 4);
                         gate.Pass(4);
                         if (rank == 0) {
                           std::this_thread::sleep_for(1s);
                           return Die();
                         }
                         const auto start = Clock::now();
                         const std::string first = TextOf(Agree(*group, ViewWith({2}), 30s));
                         const bool is_same = TextOf(Agree(*group, ViewWith({2}), 30s)) == first;
                         return is_same && Clock::now() - start < 10s ? first : "late, or not the same";
                       }),
              ElementsAre(kKilled, is_gone, is_gone, is_gone));
}

TEST(MissingRankTest, ARank0ThatIsStoppedMakesNobodyHang) {
  const uint16_t port = FreePort();
  EXPECT_THAT(RunRanks(2,
                       [&](int rank) {
                         const auto group = JoinAt(port, rank, 2);
                         (void)Agree(*group, ViewWith({2}), 20s);
                         if (rank == 0) {
                           std::this_thread::sleep_for(500ms);
                           raise(SIGSTOP);
                           return std::string("went on");
                         }
                         std::this_thread::sleep_for(1s);
                         const auto start = Clock::now();
                         const std::string text = TextOf(Agree(*group, ViewWith({2}), 1s));
                         const bool is_in_time = Clock::now() - start < 3s;
                         for (const pid_t sibling : ChildrenOf(getppid())) kill(sibling, SIGCONT);
                         return is_in_time ? text : "late: " + text;
                       }),
              ElementsAre("went on", Rank0DoesNotAnswer(2, port)));
}

TEST(MissingRankTest, ARank0ThatComesLaterIsWaitedFor) {
  const uint16_t port = FreePort();
  EXPECT_THAT(RunRanks(2,
                       [&](int rank) {
                         if (rank == 0) std::this_thread::sleep_for(500ms);
                         const auto group = ranks::JoinByLaunch(LaunchOf(rank, 2, port), port, 10s);
                         if (!group.ok()) return group.error().Render();
                         return TextOf(Agree(**group, ViewWith({rank}), 20s));
                       }),
              ElementsAre("agreed: [0] [1]", "agreed: [0] [1]"));
}

TEST(MissingRankTest, ARank0ThatNeverComesIsNamedInTime) {
  const uint16_t port = FreePort();
  const auto start = Clock::now();
  EXPECT_THAT(
      RunRanks(2,
               [&](int rank) {
                 if (rank == 0) return std::string("elsewhere");
                 return ranks::JoinByLaunch(LaunchOf(rank, 2, port), port, 1s).error().Render();
               }),
      ElementsAre(
          "elsewhere",
          fmt::format("error: rank 0 of 2, where the ranks meet, did not answer at 127.0.0.1:{} within 1 s\n"
                      "  help: see whether rank 0 has started; to wait longer, set CULPRIT_RANKS_TIMEOUT",
                      port)));
  EXPECT_GE(Clock::now() - start, 1s);
  EXPECT_LT(Clock::now() - start, 5s);
}

TEST(MissingRankTest, ARank0ThatIsDoneLetsTheOthersReadWhatWasGathered) {
  for (int i = 0; i < 10; ++i) {
    const uint16_t port = FreePort();
    EXPECT_THAT(RunRanks(2,
                         [&](int rank) {
                           const auto group = JoinAt(port, rank, 2);
                           return TextOf(Agree(*group, ViewWith({rank}), 20s));
                         }),
                ElementsAre("agreed: [0] [1]", "agreed: [0] [1]"));
  }
}

TEST(MissingRankTest, NeitherProcessesNorDescriptorsNorThePortAreLeftBehind) {
  const uint16_t port = FreePort();
  const Census before = SettledCensus();
  for (int job = 0; job < 2; ++job) {
    EXPECT_THAT(RunRanks(2,
                         [&](int rank) {
                           const auto group = JoinAt(port, rank, 2);
                           const std::string agreed = TextOf(Agree(*group, ViewWith({rank}), 20s));
                           return rank == 1 ? Die() : agreed;
                         }),
                ElementsAre("agreed: [0] [1]", kKilled));
  }
  const Census after = SettledCensus();
  EXPECT_EQ(after.descendants, before.descendants);
  EXPECT_EQ(after.descriptors, before.descriptors);
}

}  // namespace
}  // namespace culprit::tests
