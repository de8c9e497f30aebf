// SPDX-License-Identifier: Apache-2.0
//
// A repro that does not fit on the disk is an error, and the one that was there stays whole.
#include <ATen/ops/arange.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "repro/write_repro.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::repro {
namespace {

Repro CountTo(int64_t count) {
  tests::TestGraph g;
  g.Return({g.Placeholder("x")});
  return {g.graph(), {at::arange(count)}, {}};
}

// In a process whose files cannot grow beyond so many bytes, which writers see as a full disk. Returns the
// message.
std::string ErrorWithLargestFile(rlim_t bytes, const std::string& path, const Repro& repro) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto written = WriteRepro(path, repro);
    const std::string message = written.ok() ? "written" : written.error().Render();
    if (write(pipe_ends[1], message.data(), message.size()) < 0) _exit(1);
    _exit(0);
  }
  close(pipe_ends[1]);
  std::string message(1000, '\0');
  const ssize_t count = read(pipe_ends[0], message.data(), message.size());
  close(pipe_ends[0]);
  waitpid(child, nullptr, 0);
  return message.substr(0, static_cast<size_t>(std::max<ssize_t>(count, 0)));
}

TEST(FullDisk, TheReproThatWasThereStays) {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "repro.py";
  ASSERT_TRUE(WriteRepro(path, CountTo(3)).ok());
  const std::string before = tests::ReadWholeFile(path);
  // The script does not fit.
  EXPECT_THAT(ErrorWithLargestFile(100, path, CountTo(4)),
              testing::AllOf(testing::HasSubstr("repro.py: error: cannot write it: "),
                             testing::HasSubstr("too large")));
  EXPECT_EQ(tests::ReadWholeFile(path), before);
  // The data does not fit.
  EXPECT_THAT(ErrorWithLargestFile(10000, path, CountTo(5000)),
              testing::AllOf(testing::HasSubstr("store/storages/"), testing::HasSubstr("too large")));
  EXPECT_EQ(tests::ReadWholeFile(path), before);
  EXPECT_EQ(tests::NamesIn(folder / "store/storages"), std::set<std::string>{});
}

}  // namespace
}  // namespace culprit::repro
