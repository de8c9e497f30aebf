// SPDX-License-Identifier: Apache-2.0
#include "isolate/remote/launched.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/lib/temporary_folder.h"

namespace culprit::isolate {
namespace {

using namespace std::chrono_literals;

std::string OutputOf(Launched& program) {
  std::string out;
  while (program.Read(100ms, out)) {
  }
  return out;
}

TEST(LaunchedTest, TheProgramIsAddedToTheLauncherWordByWord) {
  auto program = *Launched::Start({"printf '<%s>' first", {"a b", "$HOME", "'"}});
  EXPECT_EQ(OutputOf(program), "<first><a b><$HOME><'>");
  EXPECT_EQ(program.End(Launched::Nicely::kYes), "exit code 0");
}

TEST(LaunchedTest, CarriesStandardStreams) {
  auto program = *Launched::Start({"", {"sh", "-c", "read line; echo got $line; echo said >&2; exit 3"}});
  const std::string text = "this\n";
  std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  EXPECT_TRUE(program.Write(1000ms, bytes));
  EXPECT_TRUE(bytes.empty());
  EXPECT_EQ(OutputOf(program), "got this\n");
  EXPECT_EQ(program.End(Launched::Nicely::kYes), "exit code 3");
  EXPECT_EQ(program.errors(), "said\n");
}

TEST(LaunchedTest, WhatIsNotThereSaysSo) {
  auto program = *Launched::Start({"nosuchlauncher -x", {"culprit"}});
  EXPECT_EQ(OutputOf(program), "");
  EXPECT_EQ(program.End(Launched::Nicely::kYes), "exit code 127");
  EXPECT_THAT(program.errors(), testing::HasSubstr("nosuchlauncher"));
}

TEST(LaunchedTest, NothingIsLeftOfOneThatDoesNotFollow) {
  const tests::TemporaryFolder folder;
  const std::string script =
      "trap '' TERM; sleep 1000 & echo $! > " + (folder / "pid") + "; echo ready; wait";
  {
    auto program = *Launched::Start({"", {"sh", "-c", script}});
    std::string out;
    while (out.empty()) program.Read(100ms, out);
    // It would go on for a thousand seconds.
  }
  const pid_t sleeper = std::stoi(tests::ReadWholeFile(folder / "pid"));
  for (int i = 0; i < 1000 && kill(sleeper, 0) == 0; ++i) usleep(10'000);
  EXPECT_EQ(kill(sleeper, 0), -1);
}

TEST(LaunchedTest, WritingToOneThatHasEndedIsNoCrash) {
  auto program = *Launched::Start({"", {"true"}});
  OutputOf(program);
  const std::string text(1 << 20, 'x');
  std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  const auto ignored = signal(SIGPIPE, SIG_IGN);
  // Its output may end a moment before it stops to read.
  bool reads = true;
  for (int i = 0; reads && i < 100; ++i) reads = program.Write(100ms, bytes);
  EXPECT_FALSE(reads);
  signal(SIGPIPE, ignored);
}

}  // namespace
}  // namespace culprit::isolate
