// SPDX-License-Identifier: Apache-2.0
//
// What a live program leaves behind with CULPRIT_DEBUG=1.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using testing::HasSubstr;

size_t CountOf(const std::string& word, const std::string& text) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

class DebuggedProgram : public testing::Test {
 protected:
  ProgramRun Run(std::vector<std::string> arguments, EnvironmentChanges changes) const {
    arguments.insert(arguments.begin(), CULPRIT_WATCHED);
    changes.insert({{"CULPRIT_DEBUG", "1"}, {"CULPRIT_DEBUG_DIRECTORY", directory_ / "debug"}});
    return RunProgram(arguments, changes);
  }
  /// The only one, by its path.
  std::string Folder() const {
    std::set<std::string> names = NamesIn(directory_ / "debug");
    names.erase("latest");
    EXPECT_EQ(names.size(), 1u);
    return directory_ / "debug/" + *names.begin();
  }
  std::string Read(const std::string& name) const { return ReadWholeFile(Folder() + "/" + name); }

  const TemporaryFolder directory_;
};

const std::vector<std::string> kTraining = {"--train"};
const EnvironmentChanges kAotEager = {{"CULPRIT_BACKEND", "aot-eager"}};

TEST_F(DebuggedProgram, LeavesGraphsGuardsTimingsAndARepro) {
  const ProgramRun run = Run(kTraining, kAotEager);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(NamesIn(Folder()), (std::set<std::string>{"backward.py", "captured.py", "forward.py",
                                                      "guards.txt", "repro.py", "timings.json"}));
  for (const char* graph : {"captured.py", "forward.py", "backward.py"})
    EXPECT_THAT(Read(graph), HasSubstr("# File: <string>:4 in net, code: y = torch.sin(y)\n")) << graph;
  EXPECT_THAT(Read("forward.py"), HasSubstr("torch.ops.aten.mm.default(x, weight)"));
  EXPECT_THAT(Read("backward.py"), HasSubstr("torch.ops.aten.threshold_backward.default("));
}

TEST_F(DebuggedProgram, ComputesTheSame) {
  const ProgramRun off = Run(kTraining, {{"CULPRIT_BACKEND", "aot-eager"}, {"CULPRIT_DEBUG", "0"}});
  EXPECT_EQ(NamesIn(directory_.path()), std::set<std::string>{});
  EXPECT_EQ(Run(kTraining, kAotEager).out, off.out);
}

TEST_F(DebuggedProgram, EveryScriptCanBeOpenedAndRun) {
  Run(kTraining, kAotEager);
  for (const char* name : {"captured.py", "forward.py", "backward.py", "repro.py"}) {
    const std::string file = Folder() + "/" + name;
    const ProgramRun graph = RunProgram({CULPRIT_PROGRAM, "graph", file});
    EXPECT_EQ(graph.exit_code, 0) << graph.err;
    EXPECT_EQ(graph.err, "");
    const ProgramRun run = RunProgram({CULPRIT_PROGRAM, "run", file});
    EXPECT_EQ(run.exit_code, 0) << file << "\n" << run.err;
    EXPECT_THAT(run.out, HasSubstr("passes: the compiled graph does what eager does"));
  }
}

TEST_F(DebuggedProgram, TheReproHasTheRealInputs) {
  Run(kTraining, kAotEager);
  const ProgramRun run = RunProgram({CULPRIT_PROGRAM, "run", Folder() + "/repro.py"});
  EXPECT_EQ(run.err, "") << "no note about random numbers";
}

TEST_F(DebuggedProgram, GuardsAreInWords) {
  Run(kTraining, kAotEager);
  EXPECT_THAT(Read("guards.txt"), testing::StartsWith("holds if grad mode is on"));
  EXPECT_THAT(
      Read("guards.txt"),
      HasSubstr("\n  and weight is a Float tensor of [4, 4] with strides [4, 1] that requires grad\n"));
}

TEST_F(DebuggedProgram, EveryPhaseIsTimed) {
  Run(kTraining, kAotEager);
  const nlohmann::json timings = nlohmann::json::parse(Read("timings.json"));
  for (const char* phase : {"capture", "guard_check", "autograd", "compile"})
    EXPECT_GT(timings.at("seconds").at(phase).get<double>(), 0) << phase;
  EXPECT_EQ(timings.at("compiled").at(0).at("file"), "forward.py");
  EXPECT_EQ(timings.at("compiled").at(1).at("file"), "backward.py");
}

TEST_F(DebuggedProgram, WithoutGradientsThereIsAnInferenceGraph) {
  Run({}, kAotEager);
  EXPECT_EQ(NamesIn(Folder()),
            (std::set<std::string>{"captured.py", "guards.txt", "inference.py", "repro.py", "timings.json"}));
}

TEST_F(DebuggedProgram, WithoutAutogradTheBackendIsHandedWhatWasCaptured) {
  Run({}, {{"CULPRIT_BACKEND", "eager"}});
  EXPECT_THAT(Read("handed.py"), HasSubstr("torch.ops.aten.matmul.default(x, weight)"));
}

TEST_F(DebuggedProgram, ChecksOfTheWatcherLeaveNothingMore) {
  EnvironmentChanges changes = kAotEager;
  changes.insert({{"CULPRIT_REPRO_AFTER", "capture"}, {"CULPRIT_REPRO_LEVEL", "4"}});
  changes.insert({"CULPRIT_DIRECTORY", directory_ / "runs"});
  EXPECT_EQ(Run(kTraining, changes).exit_code, 0);
  EXPECT_EQ(NamesIn(Folder()).size(), 6u);
}

TEST_F(DebuggedProgram, WhatACompilerThrowsIsUnchangedAndTheFolderIsThere) {
  const EnvironmentChanges changes = {{"CULPRIT_BACKEND", "aot-eager"},
                                      {"CULPRIT_FAULTS", "sin:compile-error"}};
  const ProgramRun run = Run(kTraining, changes);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("exception culprit::BackendCompilerFailed"));
  EXPECT_THAT(Read("forward.py"), HasSubstr("torch.ops.aten.sin.default("));
}

TEST_F(DebuggedProgram, ACompilerThatCrashesHasLeftWhatItWasHanded) {
  const EnvironmentChanges changes = {{"CULPRIT_BACKEND", "aot-eager"},
                                      {"CULPRIT_FAULTS", "sin:compile-segfault"}};
  EXPECT_GE(Run(kTraining, changes).exit_code, 128);
  EXPECT_THAT(Read("forward.py"), HasSubstr("torch.ops.aten.sin.default("));
  EXPECT_TRUE(nlohmann::json::parse(Read("timings.json")).at("seconds").at("compile").is_null());
}

TEST_F(DebuggedProgram, AnUnwritableFolderIsOneWarningAndNothingElse) {
  EnvironmentChanges changes = kAotEager;
  changes.insert({"CULPRIT_DEBUG_DIRECTORY", "/proc/debug"});
  const ProgramRun run = Run(kTraining, changes);
  EXPECT_EQ(run.exit_code, 0);
  changes["CULPRIT_DEBUG"] = "0";
  EXPECT_EQ(run.out, Run(kTraining, changes).out);
  EXPECT_THAT(run.err, HasSubstr("/proc/debug: warning: the folder cannot be made"));
  EXPECT_EQ(CountOf("warning: ", run.err), 1u) << run.err;
}

TEST_F(DebuggedProgram, AFullDiskIsOneWarningAndNothingElse) {
  // No file can grow; what the program prints goes through a pipe.
  const std::string command =
      fmt::format("(trap '' XFSZ; ulimit -f 0; exec {} --train 2>&1) | cat", CULPRIT_WATCHED);
  const EnvironmentChanges changes = {{"CULPRIT_DEBUG", "1"},
                                      {"CULPRIT_DEBUG_DIRECTORY", directory_ / "debug"}};
  const ProgramRun run = RunProgram({"/bin/sh", "-c", command}, changes);
  EXPECT_EQ(CountOf("warning: ", run.out), 1u) << run.out;
  EXPECT_THAT(run.out, HasSubstr("file too large"));
  EXPECT_THAT(run.out, testing::EndsWith(Run(kTraining, {{"CULPRIT_DEBUG", "0"}}).out));
}

TEST_F(DebuggedProgram, TheLogNamesTheFolder) {
  EnvironmentChanges changes = kAotEager;
  changes.insert({"CULPRIT_LOG", "stderr"});
  EXPECT_EQ(Run(kTraining, changes).err, "culprit: net_0_captured: its debug folder is " + Folder() + "\n");
}

TEST_F(DebuggedProgram, TwoAtOnceHaveFoldersOfTheirOwn) {
  ProgramRun other;
  std::thread thread([&] { other = Run(kTraining, kAotEager); });
  const ProgramRun run = Run(kTraining, kAotEager);
  thread.join();
  EXPECT_EQ(run.out, other.out);
  std::set<std::string> names = NamesIn(directory_ / "debug");
  EXPECT_EQ(names.erase("latest"), 1u);
  EXPECT_EQ(names.size(), 2u);
  for (const std::string& name : names) EXPECT_EQ(NamesIn(directory_ / "debug/" + name).size(), 6u) << name;
}

}  // namespace
}  // namespace culprit::tests
