// SPDX-License-Identifier: Apache-2.0
//
// Every test program makes the settings at its start, as every program does, so they can be looked at here
// and in children that run this very program again.
#include "process/settings.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sum.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sched.h>

#include <cstdlib>
#include <fstream>

#include "tests/lib/run_program.h"

namespace culprit::process {
namespace {

using tests::EnvironmentChanges;
using tests::RunProgram;

/// What libgomp says about its own settings in a child of this environment.
std::string OpenMpReport(EnvironmentChanges changes) {
  changes["OMP_DISPLAY_ENV"] = "verbose";
  return RunProgram({"/proc/self/exe", "--gtest_list_tests"}, changes).err;
}

/// Runs one test of this program in a child.
tests::ProgramRun RunTest(const std::string& name, const EnvironmentChanges& changes) {
  return RunProgram({"/proc/self/exe", "--gtest_filter=" + name}, changes);
}

// An unset policy is shown as passive too; how often a thread looks before it sleeps tells them apart.
TEST(SettingsTest, IdleThreadsSleepAtOnce) {
  const std::string report =
      OpenMpReport({{"OMP_WAIT_POLICY", std::nullopt}, {"GOMP_SPINCOUNT", std::nullopt}});
  EXPECT_NE(report.find("GOMP_SPINCOUNT = '0'"), std::string::npos) << report;
  EXPECT_NE(report.find("OMP_WAIT_POLICY = 'PASSIVE'"), std::string::npos) << report;
}

TEST(SettingsTest, APolicyOfTheUserIsLeftAlone) {
  const std::string report = OpenMpReport({{"OMP_WAIT_POLICY", "active"}});
  EXPECT_NE(report.find("OMP_WAIT_POLICY = 'ACTIVE'"), std::string::npos) << report;
}

// oneDNN of other builds ended the process here on processors with AMX.
TEST(SettingsTest, ProductsOfBFloat16AreComputed) {
  const at::Tensor x = at::ones({64, 64}, at::kBFloat16);
  EXPECT_EQ(at::mm(x, x).sum().item<float>(), 64 * 64 * 64);
}

// What the kernel gave this process at its start, against what getenv finds now: the entry that startup/
// borrows for a moment must be back.
TEST(SettingsTest, TheEnvironmentIsIntact) {
  std::ifstream file("/proc/self/environ", std::ios::binary);
  size_t count = 0;
  for (std::string entry; std::getline(file, entry, '\0'); ++count) {
    const size_t equals = entry.find('=');
    const char* now = std::getenv(entry.substr(0, equals).c_str());
    ASSERT_NE(now, nullptr) << entry;
    EXPECT_EQ(now, entry.substr(equals + 1));
  }
  EXPECT_GT(count, 0);
}

TEST(SettingsTest, TheEnvironmentIsIntactWhicheverEntryIsBorrowed) {
  EnvironmentChanges changes = {{"OMP_WAIT_POLICY", std::nullopt}, {"_", "first choice"}};
  EXPECT_EQ(RunTest("SettingsTest.TheEnvironmentIsIntact", changes).exit_code, 0);
  for (const char* name : {"_", "OLDPWD", "SHLVL", "PWD", "LOGNAME", "TERM"}) changes[name] = std::nullopt;
  changes["PATH"] = "last choice";
  EXPECT_EQ(RunTest("SettingsTest.TheEnvironmentIsIntact", changes).exit_code, 0);
}

TEST(SettingsTest, ChildrenInheritThePolicy) {
  const char* policy = std::getenv("OMP_WAIT_POLICY");
  ASSERT_NE(policy, nullptr);
}

TEST(SettingsTest, ThereIsOneThreadPerProcessorUnlessTheUserSaysOtherwise) {
  if (const char* threads = std::getenv("OMP_NUM_THREADS")) {
    EXPECT_EQ(at::get_num_threads(), std::atoi(threads));
    return;
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  ASSERT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  EXPECT_EQ(at::get_num_threads(), CPU_COUNT(&set));
}

TEST(SettingsTest, TheNumberOfThreadsOfTheUserIsLeftAlone) {
  const tests::ProgramRun run = RunTest("SettingsTest.ThereIsOneThreadPerProcessorUnlessTheUserSaysOtherwise",
                                        {{"OMP_NUM_THREADS", "3"}});
  EXPECT_EQ(run.exit_code, 0) << run.out;
}

TEST(SettingsTest, ErrorsOfLibtorchCarryNoBacktrace) {
  try {
    TORCH_CHECK(false, "text");
  } catch (const c10::Error& error) {
    const std::string backtrace = error.backtrace()->get();
    EXPECT_TRUE(backtrace.ends_with("(most recent call first):\n")) << backtrace;
  }
}

TEST(SettingsTest, LargeBlocksComeFromTheHeap) {
  const size_t mapped_before = mallinfo2().hblkhd;
  const at::Tensor block = at::empty({int64_t{64} << 20}, at::kByte);
  EXPECT_EQ(mallinfo2().hblkhd, mapped_before);
}

}  // namespace
}  // namespace culprit::process
