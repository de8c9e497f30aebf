// SPDX-License-Identifier: Apache-2.0
//
// A program of one's own that hunts: it calls the function that `culprit hunt` calls. A failure is verified in this
// program, started anew with the word `worker`, so its main() answers that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "hunt/hunt.h"
#include "process/settings.h"
#include "tasks/ask.h"
#include "tests/lib/holds_in_fork.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Lt;

constexpr const char* kNet = "examples/01_first_graph/net.py";

/// Writes down what it hears.
class Recorder : public hunt::Listener {
 public:
  void OnPhase(const std::string& what) override { phases.push_back(what); }
  void OnProgress(const hunt::Progress& progress) override {
    fewest_operators = std::min(fewest_operators, progress.operators);
  }
  void OnFailure(const check::Character& /*character*/, const std::string& folder) override {
    folders.push_back(folder);
  }
  bool stop() const override { return stops; }

  std::vector<std::string> phases;
  std::vector<std::string> folders;
  size_t fewest_operators = SIZE_MAX;
  bool stops = false;
};

hunt::HuntRequest InEager(const std::vector<std::string>& faults, const std::string& folder) {
  return {.file = {.file = kNet}, .compiler = {.backend = "eager", .faults = faults}, .out = folder};
}

/// A hunt forks, and this process computes in parallel once it has hunted: each test is a process of its own.
void InFork(const std::function<void()>& test) {
  EXPECT_TRUE(HoldsInFork([&] {
    test();
    return !testing::Test::HasFailure();
  }));
}

TEST(EmbeddedHunt, ARequestGoesInAndAResultComesOut) {
  InFork([] {
    const TemporaryFolder folder;
    Recorder recorder;
    const auto result = hunt::Hunt(InEager({"hardswish:accuracy"}, folder / "runs"), recorder);
    ASSERT_TRUE(result.ok()) << result.error().Render();
    ASSERT_EQ(result->graphs.size(), 1);
    const hunt::HuntedGraph& graph = result->graphs[0];
    EXPECT_EQ(graph.standing(), hunt::Standing::kFails);
    ASSERT_TRUE(graph.report);
    EXPECT_TRUE(graph.report->verification.holds());
    EXPECT_THAT(recorder.folders, ElementsAre(graph.report->folder));
    EXPECT_TRUE(std::filesystem::exists(graph.report->folder + "/repro.py"));
  });
}

TEST(EmbeddedHunt, TheListenerHearsHowItGoes) {
  InFork([] {
    const TemporaryFolder folder;
    Recorder recorder;
    const auto result = hunt::Hunt(InEager({"hardswish:accuracy"}, folder / "runs"), recorder);
    ASSERT_TRUE(result.ok()) << result.error().Render();
    EXPECT_THAT(recorder.phases, IsSupersetOf({std::string("measuring what each operator costs")}));
    EXPECT_THAT(recorder.phases.back(), IsEmpty());
    EXPECT_THAT(recorder.fewest_operators, Lt(result->graphs[0].operators));
  });
}

TEST(EmbeddedHunt, WhereNothingFailsThereIsNoReport) {
  InFork([] {
    const TemporaryFolder folder;
    Recorder recorder;
    const auto result = hunt::Hunt(InEager({}, folder / "runs"), recorder);
    ASSERT_TRUE(result.ok()) << result.error().Render();
    EXPECT_EQ(result->graphs.at(0).standing(), hunt::Standing::kPasses);
    EXPECT_THAT(recorder.folders, IsEmpty());
  });
}

TEST(EmbeddedHunt, AFileThatCannotBeReadIsAnError) {
  InFork([] {
    Recorder recorder;
    const auto result = hunt::Hunt({.file = {.file = "nowhere.py"}}, recorder);
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error().Render(), testing::HasSubstr("nowhere.py"));
  });
}

}  // namespace
}  // namespace culprit::tests

int main(int argc, char** argv) {
  using namespace culprit;
  process::ApplySettings();
  if (argc == 2 && std::string_view(argv[1]) == "worker")
    return tasks::AnswerOneRequest(STDIN_FILENO, STDOUT_FILENO).ok() ? 0 : 1;
  testing::InitGoogleTest(&argc, argv);
  const int status = RUN_ALL_TESTS();
  std::fflush(nullptr);
  _exit(status);
}
