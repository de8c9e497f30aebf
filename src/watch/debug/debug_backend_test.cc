// SPDX-License-Identifier: Apache-2.0
#include "watch/debug/debug_backend.h"

#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "tests/lib/interpreting_backend.h"
#include "tests/lib/short_graph.h"
#include "tests/lib/temporary_folder.h"
#include "watch/session/not_watched.h"

namespace culprit::watch {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

graph::Graph Named(const std::string& name) {
  graph::Graph graph = tests::ShortGraph("x\ny = sin.default(x)\nreturn (y,)\n");
  graph.set_name(name);
  return graph;
}

class DebugBackendTest : public testing::Test {
 protected:
  DebugBackendTest() { UseDirectory(directory_ / "debug"); }

  void UseDirectory(const std::string& path) {
    base::Settings settings;
    settings.debug_directory = path;
    const auto session =
        std::make_shared<WatchSession>(settings, repro::Header{}, [this](const std::string& text) {
          warnings_.push_back(text);
          warned_();
        });
    folders_ =
        std::make_shared<DebugFolders>(session, [this](const std::string& text) { log_.push_back(text); });
    backend_ = WithDebugFolders(std::make_unique<tests::InterpretingBackend>(watch_), Point::kAot, folders_);
  }
  void Begin(const std::string& name) {
    folders_->Begin([&] { return CapturedGraph{.graph = Named(name), .inputs = {at::ones({2})}}; });
  }
  void Compile(const std::string& name) { backend_->Compile(Named(name), {at::ones({2})}); }
  std::string FolderOf(const std::string& name) const {
    for (const std::string& each : tests::NamesIn(directory_ / "debug"))
      if (each.ends_with(name)) return directory_ / "debug/" + each;
    return "";
  }

  const tests::TemporaryFolder directory_;
  tests::Watch watch_;
  std::vector<std::string> warnings_;
  std::vector<std::string> log_;
  std::function<void()> warned_ = [] {};
  std::shared_ptr<DebugFolders> folders_;
  std::unique_ptr<backend::Backend> backend_;
};

TEST_F(DebugBackendTest, GraphsFindTheFolderOfTheCapturedOne) {
  Begin("net_0_captured");
  Begin("net_1_captured");
  Compile("net_0_forward");
  Compile("net_1_inference");
  Compile("net_0_backward");
  EXPECT_THAT(tests::NamesIn(FolderOf("net_0_captured")),
              testing::IsSupersetOf({"forward.py", "backward.py"}));
  EXPECT_THAT(tests::NamesIn(FolderOf("net_1_captured")), testing::Contains("inference.py"));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(DebugBackendTest, TheLogNamesTheFolder) {
  Begin("net_0_captured");
  EXPECT_THAT(log_, ElementsAre("net_0_captured: its debug folder is " + FolderOf("net_0_captured")));
}

TEST_F(DebugBackendTest, AGraphOfNobodyIsCompiledAndLeavesNothing) {
  Compile("net_0_forward");
  EXPECT_EQ(watch_.graphs.size(), 1u);
  EXPECT_THAT(tests::NamesIn(directory_.path()), IsEmpty());
}

TEST_F(DebugBackendTest, TheFileIsThereBeforeTheCompilerRuns) {
  Begin("net_0_captured");
  std::set<std::string> seen;
  watch_.compiling = [&](const graph::Graph&) { seen = tests::NamesIn(FolderOf("net_0_captured")); };
  Compile("net_0_forward");
  EXPECT_THAT(seen, testing::Contains("forward.py"));
}

TEST_F(DebugBackendTest, WhatTheCompilerThrowsIsThrownAndTimed) {
  Begin("net_0_captured");
  watch_.compiling = [](const graph::Graph&) { throw std::domain_error("no such sine"); };
  EXPECT_THROW(Compile("net_0_forward"), std::domain_error);
  const std::string timings = tests::ReadWholeFile(FolderOf("net_0_captured") + "/timings.json");
  EXPECT_TRUE(nlohmann::json::parse(timings).at("compiled").at(0).at("seconds").is_number());
}

TEST_F(DebugBackendTest, AutogradIsWhatNeitherTheCompilerNorTheWriterTakes) {
  const auto whole = WithDebugFolders(std::move(backend_), Point::kCapture, folders_);
  Begin("net_0_captured");
  watch_.compiling = [](const graph::Graph&) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  whole->Compile(Named("net_0_captured"), {at::ones({2})});
  const std::string timings = tests::ReadWholeFile(FolderOf("net_0_captured") + "/timings.json");
  const nlohmann::json seconds = nlohmann::json::parse(timings).at("seconds");
  EXPECT_GE(seconds.at("compile").get<double>(), 0.05);
  EXPECT_LT(seconds.at("autograd").get<double>(), 0.05);
}

TEST_F(DebugBackendTest, TheFirstCompilationCountsAndNotThatOfACheck) {
  const auto whole = WithDebugFolders(std::move(backend_), Point::kCapture, folders_);
  Begin("net_0_captured");
  whole->Compile(Named("net_0_captured"), {at::ones({2})});
  const std::string timings = tests::ReadWholeFile(FolderOf("net_0_captured") + "/timings.json");
  const NotWatched off;
  whole->Compile(Named("net_0_captured"), {at::ones({2})});
  EXPECT_EQ(tests::ReadWholeFile(FolderOf("net_0_captured") + "/timings.json"), timings);
  EXPECT_EQ(watch_.graphs.size(), 2u);
}

TEST_F(DebugBackendTest, ABackwardGraphThatACheckWantsFirstIsWritten) {
  Begin("net_0_captured");
  const NotWatched off;
  Compile("net_0_backward");
  EXPECT_THAT(tests::NamesIn(FolderOf("net_0_captured")), testing::Contains("backward.py"));
}

TEST_F(DebugBackendTest, AnUnwritableFolderIsOneWarning) {
  tests::WriteWholeFile(directory_ / "debug", "a file");
  Begin("net_0_captured");
  Begin("net_1_captured");
  Compile("net_0_forward");
  EXPECT_EQ(watch_.graphs.size(), 1u);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("debug: warning: the folder cannot be made: "));
  EXPECT_THAT(warnings_[0],
              EndsWith("help: name a folder that can be written, with: CULPRIT_DEBUG_DIRECTORY=DIR"));
}

TEST_F(DebugBackendTest, WhatIsThrownWhileItIsDescribedIsAWarning) {
  folders_->Begin([]() -> CapturedGraph { throw std::runtime_error("no line"); });
  folders_->Begin([]() -> CapturedGraph { throw 5; });
  EXPECT_THAT(warnings_, ElementsAre("warning: the debug folder is not complete: no line"));
}

TEST_F(DebugBackendTest, WhoHearsTheWarningMayThrow) {
  warned_ = [] { throw std::runtime_error("warnings are errors here"); };
  folders_->Begin([]() -> CapturedGraph { throw 5; });
  EXPECT_THAT(warnings_, ElementsAre("warning: the debug folder is not complete"));
}

TEST_F(DebugBackendTest, SeveralThreadsMayWrite) {
  Begin("net_0_captured");
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int64_t j = 0; j < 5; ++j)
        const DebugFolders::Handed handed(*folders_, Named("net_0_backward"), {at::ones({i, j})});
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string timings = tests::ReadWholeFile(FolderOf("net_0_captured") + "/timings.json");
  EXPECT_EQ(nlohmann::json::parse(timings).at("compiled").size(), 20u);
  EXPECT_EQ(tests::NamesIn(FolderOf("net_0_captured")).size(), 24u);
  EXPECT_THAT(warnings_, IsEmpty());
}

}  // namespace
}  // namespace culprit::watch
