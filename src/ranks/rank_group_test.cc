// SPDX-License-Identifier: Apache-2.0
//
// Ranks here are threads that meet in the memory of one process; tests/ranks has real ones.
#include "ranks/rank_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include "ranks/meeting.h"

namespace culprit::ranks {
namespace {

using testing::ElementsAre;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

using StorePtr = c10::intrusive_ptr<c10d::Store>;
using GroupPtr = std::shared_ptr<RankGroup>;

base::Result<GroupPtr> TryJoin(const StorePtr& store, int rank, int size) {
  return RankGroup::Join(
      {.rank = rank, .size = size, .where = "memory", .connect = [store](auto /*limit*/) { return store; }},
      1s);
}

struct Ranks {
  StorePtr store = c10::make_intrusive<c10d::HashStore>();
  std::vector<GroupPtr> groups;

  explicit Ranks(int size) {
    for (int rank = 0; rank < size; ++rank) groups.push_back(*TryJoin(store, rank, size));
  }
  /// What rank 0 gets if all ranks gather "<rank>".
  std::string GatherAll() const {
    std::vector<std::jthread> others;
    for (size_t rank = 1; rank < groups.size(); ++rank) {
      others.emplace_back([&, rank] { groups[rank]->Gather("f", std::to_string(rank), 5s); });
    }
    const auto all = groups[0]->Gather("f", "0", 5s);
    std::string joined;
    for (const std::string& text : std::get<0>(all)) joined += text;
    return joined;
  }
};

TEST(GroupTest, OneRankNeedsNoOther) {
  uint16_t port = 0;
  const GroupPtr group = *RankGroup::Join(*KeepMeeting(1, port, 1s), 1s);
  EXPECT_THAT(std::get<0>(group->Gather("f", "a", 1s)), ElementsAre("a"));
  EXPECT_EQ(port, 0);
}

TEST(GroupTest, BytesComeInTheOrderOfRanks) {
  EXPECT_EQ(Ranks(4).GatherAll(), "0123");
}

TEST(GroupTest, BytesNeedBeNoText) {
  const Ranks ranks(1);
  const std::string bytes("\0\xff\n", 3);
  EXPECT_THAT(std::get<0>(ranks.groups[0]->Gather("f", bytes, 1s)), ElementsAre(bytes));
  EXPECT_THAT(std::get<0>(ranks.groups[0]->Gather("f", "", 1s)), ElementsAre(""));
}

TEST(GroupTest, RoundsLeaveNothingBehindButTheLast) {
  const Ranks ranks(3);
  ranks.GatherAll();
  ranks.GatherAll();
  const int64_t after_two = ranks.store->getNumKeys();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(ranks.GatherAll(), "012");
  EXPECT_EQ(ranks.store->getNumKeys(), after_two);
}

TEST(GroupTest, AVerdictThatCannotBeReadIsNoAgreement) {
  const Ranks ranks(1);
  ranks.store->set("round/1/verdict", std::vector<uint8_t>{'?'});
  const auto outcome = ranks.groups[0]->Gather("f: from net.py:3", "a", 1s);
  EXPECT_EQ(std::get<1>(outcome).kind, RankFailureKind::kLost);
  EXPECT_EQ(std::get<1>(outcome).why.message, "the ranks cannot meet in memory");
  EXPECT_EQ(std::get<1>(outcome).why.place.file, "f: from net.py:3");
}

TEST(GroupTest, TwoProcessesCannotBeTheSameRank) {
  const Ranks ranks(2);
  EXPECT_EQ(TryJoin(ranks.store, 1, 2).error().Render(),
            "error: there is a rank 1 of 2 at memory already\n"
            "  help: give each process a rank of its own, and each job a port of its own");
}

TEST(GroupTest, AllRanksHaveToKnowHowManyTheyAre) {
  const Ranks ranks(2);
  EXPECT_EQ(TryJoin(ranks.store, 2, 3).error().Render(),
            "error: this is rank 2 of 3, but others at memory are of 2\n"
            "  help: tell all ranks the same number of ranks");
}

/// "0: text", for each.
std::vector<std::string> Heard(const GroupPtr& group) {
  std::vector<std::string> heard;
  const std::vector<Told> all = *group->Listen();
  for (const Told& told : all) heard.push_back(std::to_string(told.rank) + ": " + told.text);
  return heard;
}

TEST(GroupTest, WhatARankTellsIsHeardByAllOthersOnce) {
  const Ranks ranks(3);
  EXPECT_THAT(Heard(ranks.groups[1]), ElementsAre());
  ASSERT_TRUE(ranks.groups[0]->Tell("runs/1/repro.py").ok());
  EXPECT_THAT(Heard(ranks.groups[1]), ElementsAre("0: runs/1/repro.py"));
  EXPECT_THAT(Heard(ranks.groups[1]), ElementsAre());
  EXPECT_THAT(Heard(ranks.groups[2]), ElementsAre("0: runs/1/repro.py"));
  EXPECT_THAT(Heard(ranks.groups[0]), ElementsAre());
}

TEST(GroupTest, TheSameTextToldTwiceIsHeardTwice) {
  const Ranks ranks(2);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(ranks.groups[0]->Tell("again").ok());
  EXPECT_THAT(Heard(ranks.groups[1]), ElementsAre("0: again", "0: again"));
}

TEST(GroupTest, NoTextIsLostIfAllTellAtOnce) {
  const Ranks ranks(4);
  {
    std::vector<std::jthread> tellers;
    for (int rank = 1; rank < 4; ++rank) {
      tellers.emplace_back([&, rank] {
        for (int i = 0; i < 50; ++i) ASSERT_TRUE(ranks.groups[rank]->Tell(std::to_string(i)).ok());
      });
    }
  }
  int next[4] = {};
  const std::vector<Told> all = *ranks.groups[0]->Listen();
  for (const Told& told : all) EXPECT_EQ(told.text, std::to_string(next[told.rank]++));
  EXPECT_THAT(next, ElementsAre(0, 50, 50, 50));
}

TEST(GroupTest, ALongTextIsRefused) {
  const Ranks ranks(1);
  EXPECT_EQ(ranks.groups[0]->Tell(std::string(8193, 'x')).error().message,
            "a text for the other ranks has 8193 bytes, and at most 8192 are told");
}

TEST(GroupTest, WhatIsNoTextOfARankIsPassedOver) {
  const Ranks ranks(2);
  ranks.store->set("told/0", std::vector<uint8_t>{'?'});
  ASSERT_TRUE(ranks.groups[0]->Tell("a").ok());
  EXPECT_THAT(Heard(ranks.groups[1]), ElementsAre("0: a"));
}

}  // namespace
}  // namespace culprit::ranks
