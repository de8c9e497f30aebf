// SPDX-License-Identifier: Apache-2.0
//
// The ways in which ranks find each other, beside a program that uses the same ways for itself.
#include "ranks/join.h"

#include <ATen/ops/full.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "ranks/agree.h"
#include "tests/lib/gloo_group.h"
#include "tests/lib/temporary_folder.h"
#include "tests/ranks/rank_processes.h"

namespace culprit::tests {
namespace {

using ranks::Agree;
using testing::Each;
using testing::ElementsAre;
using testing::StartsWith;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

std::string AgreeOnce(const base::Result<std::shared_ptr<ranks::RankGroup>>& group, int rank) {
  if (!group.ok()) return group.error().Render();
  return TextOf(Agree(**group, ViewWith({rank}), 20s));
}

void SetEnvironment(const std::string& rank_name, int rank, const std::string& size_name, int size,
                    uint16_t port) {
  setenv(rank_name.c_str(), std::to_string(rank).c_str(), 1);
  setenv(size_name.c_str(), std::to_string(size).c_str(), 1);
  setenv("MASTER_ADDR", "127.0.0.1", 1);
  setenv("MASTER_PORT", std::to_string(port).c_str(), 1);
}

TEST(JoinTest, ByTheEnvironmentOfEveryLauncher) {
  const std::pair<std::string, std::string> spellings[] = {{"RANK", "WORLD_SIZE"},
                                                           {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                           {"PMI_RANK", "PMI_SIZE"},
                                                           {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (const auto& spelling : spellings) {
    const uint16_t port = FreePort();
    EXPECT_THAT(RunRanks(2,
                         [&](int rank) {
                           SetEnvironment(spelling.first, rank, spelling.second, 2, port);
                           return AgreeOnce(ranks::JoinByLaunch(*ranks::ReadLaunch(std::getenv), 0, 20s),
                                            rank);
                         }),
                Each("agreed: [0] [1]"))
        << spelling.first;
  }
}

TEST(JoinTest, TheProgramCanOpenTheMasterPortItself) {
  const uint16_t port = FreePort();
  EXPECT_THAT(RunRanks(4,
                       [&](int rank) {
                         c10d::TCPStoreOptions options;
                         options.port = port;
                         options.isServer = rank == 0;
                         options.numWorkers = 4;
                         c10d::TCPStore program("127.0.0.1", options);
                         const std::string agreed =
                             AgreeOnce(ranks::JoinByLaunch(LaunchOf(rank, 4, port), 0, 20s), rank);
                         // Nobody leaves before all have seen that their own store still works.
                         const int64_t count = program.add("count", 1);
                         program.set("seen" + std::to_string(count), {1});
                         program.wait({"seen1", "seen2", "seen3", "seen4"});
                         if (rank == 0) std::this_thread::sleep_for(300ms);
                         return agreed;
                       }),
              Each("agreed: [0] [1] [2] [3]"));
}

TEST(JoinTest, TheOwnPortIsAwayFromTheNeighbours) {
  EXPECT_EQ(ranks::OwnPort(29500), 30500);
  EXPECT_EQ(ranks::OwnPort(64535), 65535);
  EXPECT_EQ(ranks::OwnPort(64536), 63536);
}

TEST(JoinTest, APortThatIsTakenIsAnErrorOfRank0) {
  const uint16_t port = FreePort();
  EXPECT_THAT(
      RunRanks(1,
               [&](int) {
                 const auto first = ranks::JoinByLaunch(LaunchOf(0, 2, port), port, 1s);
                 return ranks::JoinByLaunch(LaunchOf(0, 2, port), port, 1s).error().Render();
               }),
      ElementsAre(testing::AllOf(
          StartsWith(fmt::format("error: rank 0 of 2 cannot open port {}, where the ranks would meet\n"
                                 "  note: libtorch says: ",
                                 port)),
          testing::EndsWith("\n  help: give all ranks the same free port, as in CULPRIT_RANKS_PORT=30777"))));
}

int64_t SumOfAll(c10d::ProcessGroup& program, int64_t number) {
  std::vector<at::Tensor> tensors = {at::full({1}, number, at::kLong)};
  program.allreduce(tensors)->wait();
  return *tensors[0].data_ptr<int64_t>();
}

TEST(JoinTest, ByTheProgramsGroupWhoseCollectivesGoOn) {
  const TemporaryFolder folder;
  for (const int size : {2, 4}) {
    const std::string path = folder / std::to_string(size);
    EXPECT_THAT(RunRanks(size,
                         [&](int rank) {
                           auto& program =
                               MakeGlooGroup(c10::make_intrusive<c10d::FileStore>(path, size), rank, size);
                           if (SumOfAll(program, 1) != size) return std::string("wrong before");
                           const auto group = *ranks::JoinByProcessGroup(program, 20s);
                           for (int round = 0; round < 20; ++round) {
                             // One of the program's is under way while ranks agree, in an order of their own.
                             std::vector<at::Tensor> tensors = {at::full({1}, round, at::kLong)};
                             c10::intrusive_ptr<c10d::Work> work;
                             if (round % 2 == rank % 2) work = program.allreduce(tensors);
                             const auto views = Agree(*group, ViewWith({rank, round}), 20s);
                             if (views.index() != 0) return TextOf(views);
                             if (std::get<0>(views).back() != ViewWith({size - 1, round}))
                               return TextOf(views);
                             if (!work) work = program.allreduce(tensors);
                             work->wait();
                             if (*tensors[0].data_ptr<int64_t>() != round * size)
                               return std::string("wrong sum");
                           }
                           return std::string("right");
                         }),
                Each("right"));
  }
}

TEST(JoinTest, AGroupOfWhichARankDoesNotJoinIsAnErrorInTime) {
  const TemporaryFolder folder;
  EXPECT_THAT(
      RunRanks(2,
               [&](int rank) {
                 auto& program =
                     MakeGlooGroup(c10::make_intrusive<c10d::FileStore>(folder / "program", 2), rank, 2);
                 if (rank == 0) {
                   std::this_thread::sleep_for(2s);
                   return std::string("elsewhere");
                 }
                 return ranks::JoinByProcessGroup(program, 500ms).error().Render();
               }),
      ElementsAre(
          "elsewhere",
          testing::AllOf(StartsWith("error: the program's process group did not broadcast within 0.5 s\n"
                                    "  note: libtorch says: "),
                         testing::EndsWith("\n  help: let all ranks of the group call culprit::Compile"))));
}

TEST(JoinTest, ATextThatARankTellsReachesTheOthers) {
  const uint16_t port = FreePort();
  EXPECT_THAT(RunRanks(4,
                       [&](int rank) {
                         const auto group = JoinAt(port, rank, 4);
                         if (rank == 2) (void)group->Tell("culprit_runs/7/repro.py");
                         (void)Agree(*group, ViewWith({2}), 20s);
                         std::string heard;
                         const std::vector<ranks::Told> all = *group->Listen();
                         for (const ranks::Told& told : all)
                           heard += fmt::format("{}: {}", told.rank, told.text);
                         (void)Agree(*group, ViewWith({3}), 20s);
                         return heard;
                       }),
              ElementsAre("2: culprit_runs/7/repro.py", "2: culprit_runs/7/repro.py", "",
                          "2: culprit_runs/7/repro.py"));
}

}  // namespace
}  // namespace culprit::tests
