// SPDX-License-Identifier: Apache-2.0
//
// Whoever is killed while writing a repro leaves the one before or the new one, never something between.
#include <ATen/ops/full.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "repro/read_repro.h"
#include "repro/write_repro.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::repro {
namespace {

// The header says what the input, which is too large for the text, has to hold.
Repro Numbered(int number) {
  tests::TestGraph g;
  g.Return({g.Placeholder("x")});
  return {g.graph(),
          {at::full({20000}, number, at::kInt)},
          {.settings = {{kTimeoutSetting, std::to_string(number)}}}};
}

[[noreturn]] void WriteForever(const std::string& path, int first) {
  for (int number = first;; ++number) {
    if (!WriteRepro(path, Numbered(number)).ok()) _exit(1);
  }
}

void ExpectWhole(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto opened = OpenRepro(path, text);
  ASSERT_TRUE(opened.ok()) << opened.error().Render() << "\n" << text;
  const auto loaded = LoadRepro(*std::move(opened));
  ASSERT_TRUE(loaded.ok()) << loaded.error().Render();
  EXPECT_TRUE(loaded->random.empty());
  const int number = std::stoi(loaded->repro.header.settings.at(kTimeoutSetting));
  EXPECT_TRUE(loaded->repro.inputs[0].toTensor().eq(number).all().item<bool>());
}

TEST(KilledWriters, LeaveAWholeReproOrNone) {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "repro.py";
  std::mt19937 random(5);
  int whole = 0;
  for (int i = 0; i < tests::Volume(/*sample=*/40, /*full=*/200); ++i) {
    const pid_t child = fork();
    if (child == 0) WriteForever(path, 1 + 1000 * i);
    usleep(std::uniform_int_distribution<unsigned>(0, 8000)(random));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    if (!std::filesystem::exists(path)) continue;
    ExpectWhole(path);
    ++whole;
  }
  EXPECT_GT(whole, 0);
  // What they had begun is gone with the next that is written.
  ASSERT_TRUE(WriteRepro(path, Numbered(1)).ok());
  EXPECT_EQ(tests::NamesIn(folder.path()), (std::set<std::string>{"repro.py", "store"}));
}

}  // namespace
}  // namespace culprit::repro
