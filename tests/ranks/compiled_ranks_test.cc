// SPDX-License-Identifier: Apache-2.0
//
// culprit::Compile on ranks: by the program's own group and by a launcher's variables, and what watching
// leaves behind.
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <culprit/compile.h>
#include <culprit/config.h>
#include <culprit/errors.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/resolver.h>

#include <filesystem>
#include <regex>
#include <thread>
#include <torch/csrc/distributed/c10d/FileStore.hpp>

#include "tests/lib/gloo_group.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"
#include "tests/ranks/rank_processes.h"

namespace culprit::tests {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

/// Functions in TorchScript, which stay.
torch::jit::Function& Define(const char* source) {
  auto* unit = new torch::jit::CompilationUnit;
  unit->define(std::nullopt, source, torch::jit::nativeResolver(), nullptr);
  return *unit->get_functions()[0];
}

constexpr char kNet[] = "def net(x: Tensor):\n  return torch.relu(x * 2)\n";
constexpr char kOther[] = "def other(x: Tensor):\n  return x + 1\n";

/// As a launcher does it, and with the setting that asks for it.
void BeLaunched(int rank, int size, uint16_t port) {
  setenv("RANK", std::to_string(rank).c_str(), 1);
  setenv("WORLD_SIZE", std::to_string(size).c_str(), 1);
  setenv("MASTER_ADDR", "127.0.0.1", 1);
  setenv("MASTER_PORT", std::to_string(port).c_str(), 1);
  config::Set("ranks", "environment");
}

/// Hears libtorch's warnings from now on.
class Warnings : public c10::WarningHandler {
 public:
  Warnings() { c10::WarningUtils::set_warning_handler(this); }
  void process(const c10::Warning& warning) override { texts.push_back(warning.msg()); }
  std::vector<std::string> texts;
};

TEST(CompiledRanksTest, ByTheProgramsGroupWhoseCollectivesGoOn) {
  const TemporaryFolder folder;
  for (const int size : {2, 4}) {
    const std::string path = folder / std::to_string(size);
    EXPECT_THAT(
        RunRanks(size,
                 [&](int rank) {
                   auto& program =
                       MakeGlooGroup(c10::make_intrusive<c10d::FileStore>(path, size), rank, size);
                   const auto group =
                       c10::intrusive_ptr<c10d::ProcessGroup>::unsafe_reclaim_from_nonowning(&program);
                   const auto net = Compile(Define(kNet), {.ranks = group});
                   double sum = 0;
                   for (int64_t call = 0; call < 3; ++call) {
                     std::vector<at::Tensor> sums = {net({at::ones({rank + 2 + call})}).toTensor().sum()};
                     group->allreduce(sums)->wait();
                     sum += sums[0].item<double>();
                   }
                   return fmt::format("{} {} {}", net.counters().graphs, net.counters().recaptures, sum);
                 }),
        Each(size == 2 ? "1 0 42" : "1 0 108"));
  }
}

TEST(CompiledRanksTest, ByALauncherHoweverManyFunctionsAreCompiled) {
  for (const int size : {2, 4}) {
    const uint16_t port = FreePort();
    const Gate gate;
    EXPECT_THAT(RunRanks(size,
                         [&](int rank) {
                           BeLaunched(rank, size, port);
                           const auto net = Compile(Define(kNet));
                           const auto other = Compile(Define(kOther));
                           for (int64_t call = 0; call < 3; ++call)
                             other({net({at::ones({rank + 2 + call})})});
                           gate.Pass(size);
                           return fmt::format("{} {}", net.counters().graphs, other.counters().graphs);
                         }),
                Each("1 1"));
  }
}

TEST(CompiledRanksTest, RanksCompileAgainTogetherIfTheSettingAsksForIt) {
  const uint16_t port = FreePort();
  const Gate gate;
  EXPECT_THAT(RunRanks(2,
                       [&](int rank) {
                         BeLaunched(rank, 2, port);
                         config::Set("ranks_recompile", "true");
                         const auto net = Compile(Define(kNet));
                         for (int64_t call = 0; call < 4; ++call) net({at::ones({rank == 0 ? 4 : 4 + call})});
                         gate.Pass(2);
                         return fmt::format("{} {}", net.counters().graphs, net.counters().recaptures);
                       }),
              Each("2 1"));
}

TEST(CompiledRanksTest, AWrongEnvironmentIsAnError) {
  EXPECT_THAT(
      RunRanks(1,
               [](int) {
                 unsetenv("RANK");
                 config::Set("ranks", "environment");
                 Compile(Define(kNet));
                 return std::string("compiled");
               }),
      Each("error: the environment does not say which rank this is: RANK is not set\n  help: start the "
           "program with torchrun, or give every rank RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT"));
}

TEST(CompiledRanksTest, ADisabledProgramWaitsForNobody) {
  EXPECT_THAT(RunRanks(1,
                       [](int) {
                         BeLaunched(1, 2, FreePort());
                         config::Set("disable", "true");
                         return fmt::format(
                             "{}", Compile(Define(kNet))({at::ones({2})}).toTensor().sum().item<double>());
                       }),
              Each("4"));
}

/// Rank 1 of 2 has a compiler that is wrong.
std::vector<std::string> RunWithFaultOnRank1(const std::string& directory) {
  const uint16_t port = FreePort();
  const Gate failed;
  const Gate heard;
  return RunRanks(2, [&](int rank) {
    Warnings warnings;
    BeLaunched(rank, 2, port);
    config::Set("repro_after", "aot");
    config::Set("repro_level", "4");
    config::Set("directory", directory + "/runs");
    config::Set("debug", "true");
    config::Set("debug_directory", directory + "/debug");
    if (rank == 1) config::Set("faults", "relu:accuracy");
    const auto net = Compile(Define(kNet));
    std::string text = "right";
    try {
      net({at::ones({3 + rank})});
    } catch (const Failure& failure) {
      text = failure.repro();
    }
    failed.Pass(2);
    std::this_thread::sleep_for(1100ms);
    if (rank == 0) net({at::ones({3 + rank})});
    heard.Pass(2);
    return rank == 0 ? fmt::format("{}", fmt::join(warnings.texts, "\n")) : text;
  });
}

TEST(CompiledRanksTest, AFailureIsReportedOnAllRanksAndItsReproNeedsNoOther) {
  const TemporaryFolder folder;
  const std::vector<std::string> heard = RunWithFaultOnRank1(folder.path());
  const std::string repro = heard[1];
  EXPECT_TRUE(std::regex_search(repro, std::regex("/runs/[0-9T]+-[0-9]+-rank1-net_0_captured/repro\\.py$")))
      << repro;
  EXPECT_EQ(
      heard[0],
      fmt::format("culprit: rank 1 of 2: net_0_captured has failed: compare: wrong values in outputs[0] "
                  "(call 1); repro {}",
                  repro));
  EXPECT_THAT(ReadWholeFile(repro), HasSubstr(R"("rank": "1 of 2")"));
  const ProgramRun verified = RunProgram({CULPRIT_PROGRAM, "verify", repro});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}

TEST(CompiledRanksTest, DebugFoldersCarryTheRank) {
  const TemporaryFolder folder;
  RunWithFaultOnRank1(folder.path());
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "debug"))
    names.insert(std::regex_replace(entry.path().filename().string(), std::regex("^[0-9T]+-[0-9]+-"), ""));
  EXPECT_THAT(names,
              AllOf(testing::Contains("rank0-net_0_captured"), testing::Contains("rank1-net_0_captured")));
}

}  // namespace
}  // namespace culprit::tests
