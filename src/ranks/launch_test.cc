// SPDX-License-Identifier: Apache-2.0
#include "ranks/launch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace culprit::ranks {
namespace {

using Variables = std::map<std::string, std::string>;

base::Result<Launch> Read(const Variables& variables) {
  return ReadLaunch([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

/// "rank 1 of 4 at node7:29500", or the error.
std::string ReadAsText(const Variables& variables) {
  const auto launch = Read(variables);
  if (!launch.ok()) return launch.error().Render();
  return fmt::format("rank {} of {} at {}:{}", launch->rank, launch->size, launch->host, launch->port);
}

/// These, and the rest as torchrun sets it.
Variables With(const Variables& variables) {
  Variables all = {{"RANK", "1"}, {"WORLD_SIZE", "4"}, {"MASTER_ADDR", "node7"}, {"MASTER_PORT", "29500"}};
  for (const auto& [name, value] : variables) all[name] = value;
  return all;
}

constexpr char kHelp[] =
    "\n  help: start the program with torchrun, or give every rank RANK, WORLD_SIZE, MASTER_ADDR and "
    "MASTER_PORT";

TEST(LaunchTest, VariablesOfTorchrun) {
  EXPECT_EQ(ReadAsText(With({})), "rank 1 of 4 at node7:29500");
}

TEST(LaunchTest, VariablesOfMpiLaunchers) {
  const Variables master = {{"MASTER_ADDR", "node7"}, {"MASTER_PORT", "29500"}};
  const std::pair<std::string, std::string> spellings[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                           {"PMI_RANK", "PMI_SIZE"},
                                                           {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (const auto& [rank, size] : spellings) {
    Variables variables = master;
    variables[rank] = "2";
    variables[size] = "3";
    EXPECT_EQ(ReadAsText(variables), "rank 2 of 3 at node7:29500") << rank;
  }
}

TEST(LaunchTest, TorchrunCountsBeforeTheLauncherThatStartedIt) {
  EXPECT_EQ(ReadAsText(With({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}})), "rank 1 of 4 at node7:29500");
}

TEST(LaunchTest, RankAndSizeAreNotTakenFromDifferentLaunchers) {
  EXPECT_EQ(ReadAsText({{"RANK", "1"}, {"PMI_SIZE", "4"}}),
            "error: WORLD_SIZE is not set" + std::string(kHelp));
  EXPECT_EQ(ReadAsText({{"PMI_SIZE", "4"}, {"SLURM_PROCID", "1"}}),
            "error: PMI_RANK is not set" + std::string(kHelp));
}

TEST(LaunchTest, AnEnvironmentWithoutALauncher) {
  EXPECT_EQ(ReadAsText({}),
            "error: the environment does not say which rank this is: RANK is not set" + std::string(kHelp));
}

TEST(LaunchTest, AVariableWithoutAValueIsNotSet) {
  EXPECT_EQ(ReadAsText(With({{"MASTER_ADDR", ""}})), "error: MASTER_ADDR is not set" + std::string(kHelp));
  EXPECT_EQ(ReadAsText(With({{"MASTER_PORT", ""}})), "error: MASTER_PORT is not set" + std::string(kHelp));
  EXPECT_EQ(ReadAsText(With({{"RANK", ""}})), "error: RANK is not set" + std::string(kHelp));
}

TEST(LaunchTest, MalformedNumbers) {
  for (const std::string rank : {"-1", "4", "1.5", "one", " 1", "99999999999999999999"}) {
    EXPECT_EQ(ReadAsText(With({{"RANK", rank}})),
              fmt::format("error: RANK is '{}', which is not a whole number from 0 to 3{}", rank, kHelp));
  }
  for (const std::string size : {"0", "-4", "4x", "1048577"}) {
    EXPECT_EQ(ReadAsText(With({{"WORLD_SIZE", size}})),
              fmt::format("error: WORLD_SIZE is '{}', which is not a whole number from 1 to 1048576{}", size,
                          kHelp));
  }
  for (const std::string port : {"0", "65536", "http"}) {
    EXPECT_EQ(ReadAsText(With({{"MASTER_PORT", port}})),
              fmt::format("error: MASTER_PORT is '{}', which is not a whole number from 1 to 65535{}", port,
                          kHelp));
  }
}

}  // namespace
}  // namespace culprit::ranks
