// SPDX-License-Identifier: Apache-2.0
//
// A compiler in a process of its own: whatever it does there, the query ends as if it had done it here.
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <thread>

#include "backend/insight.h"
#include "backend/refusal.h"
#include "backends/table.h"
#include "check/query/query_task.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/process_census.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"
#include "tests/question/query_zygote.h"

namespace culprit::tests {
namespace {

using check::Finding;
using testing::HasSubstr;
using testing::StartsWith;
using namespace std::chrono_literals;

std::string Toy(const std::string& fault, const std::string& arguments = "") {
  return fmt::format("exec:{} -P {}/tests/servers/toy.py{}{}", CULPRIT_PYTHON, CULPRIT_SOURCE_FOLDER,
                     arguments, fault.empty() ? "" : ":fault=" + fault);
}

repro::Repro ReproFor(std::string backend, graph::Graph graph, std::vector<c10::IValue> inputs) {
  repro::Repro repro{std::move(graph), std::move(inputs)};
  repro.header.accuracy = repro::Accuracy::kStrict;
  repro.header.backend = std::move(backend);
  return repro;
}

Finding Ask(const repro::Repro& repro) {
  check::IsolatedQuery query(QueryZygote(), {.wall_time = 20s, .memory_bytes = uint64_t{400} << 20});
  return *query.Ask(repro);
}

std::string Shown(const Finding& finding) {
  if (!finding.invalid.empty()) return "invalid: " + finding.invalid;
  return finding.failure ? finding.failure->ToString() : "passes";
}

/// relu(x)
repro::Repro ReluFor(const std::string& backend) {
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  return ReproFor(backend, g.graph(), {at::arange(6, at::kFloat)});
}

Finding AskToy(const std::string& fault) {
  return Ask(ReluFor(Toy(fault)));
}

/// How many there are when servers have forked the next child and children are gone.
size_t ProcessesAtRest() {
  std::this_thread::sleep_for(500ms);
  return DescendantsOf(getpid()).size();
}

TEST(ServerTest, WhatIsRightPasses) {
  EXPECT_EQ(Shown(AskToy("")), "passes");
}

TEST(ServerTest, ALongGraphArrives) {
  TestGraph g;
  graph::ValueId value = g.Placeholder("x");
  for (int i = 0; i < 2000; ++i) value = g.Call("aten::relu", {value});
  g.Return({value});
  EXPECT_EQ(Shown(Ask(ReproFor(Toy(""), g.graph(), {at::arange(6, at::kFloat)}))), "passes");
}

TEST(ServerTest, WhatTheServerItselfCannotDoIsNoFailureOfTheCompiler) {
  EXPECT_EQ(
      Shown(AskToy("cannot_serve")),
      fmt::format("invalid: the graph cannot be handed to the compiler: the server of '{}' cannot serve it",
                  Toy("")));
}

TEST(ServerTest, WrongNumbersAreSeen) {
  EXPECT_EQ(Shown(AskToy("wrong")), "compare: wrong values in outputs[0] (call 1)");
}

TEST(ServerTest, WhatIsWrittenIntoAnInputIsSeen) {
  EXPECT_EQ(Shown(AskToy("write")), "compare: mutated input in inputs[0] (call 1)");
}

TEST(ServerTest, ExceptionsHaveTheNameThatTheyHaveInPython) {
  EXPECT_EQ(Shown(AskToy("throw")), "compile: exception __main__.ToyError: it does not compile");
}

TEST(ServerTest, AnExceptionTellsWhereItWasRaised) {
  const Finding finding = AskToy("throw");
  ASSERT_THAT(finding.python_frames, testing::SizeIs(3)) << "nothing of what calls the compiler";
  EXPECT_THAT(finding.python_frames.front(),
              testing::ContainsRegex("^throw at .*/tests/servers/toy.py:[0-9]+$"));
  EXPECT_THAT(finding.python_frames.back(), StartsWith("compile at "));
}

TEST(ServerTest, ARefusalIsNoFailure) {
  EXPECT_EQ(Shown(AskToy("refuse")), "invalid: the graph cannot be handed to the compiler: it is too odd");
}

TEST(ServerTest, ACrashIsItsSignalAndFrames) {
  const Finding finding = AskToy("crash");
  EXPECT_THAT(Shown(finding), StartsWith("compile: signal SIGSEGV in "));
  ASSERT_TRUE(finding.failure);
  EXPECT_THAT(finding.failure->frames, testing::Not(testing::IsEmpty()));
  EXPECT_THAT(finding.python_frames,
              testing::Contains(testing::ContainsRegex("compile at .*/tests/servers/toy.py:[0-9]+")));
}

TEST(ServerTest, ACrashInGeneratedCodeHasNamesThoughItsFilesAreGone) {
  const Finding finding = AskToy("crash_in_own_code");
  ASSERT_TRUE(finding.failure);
  ASSERT_THAT(finding.failure->frames, testing::Not(testing::IsEmpty()));
  EXPECT_EQ(finding.failure->frames.front(), "crash_here");
}

TEST(ServerTest, AnAbortIsOne) {
  EXPECT_THAT(Shown(AskToy("abort")), StartsWith("compile: signal SIGABRT in "));
}

TEST(ServerTest, AnExitIsOne) {
  EXPECT_EQ(Shown(AskToy("exit")), "compile: exit with code 3");
}

TEST(ServerTest, MemoryOfTheServerIsTheQuerys) {
  EXPECT_THAT(Shown(AskToy("memory")), HasSubstr("memory"));
}

TEST(ServerTest, AHangEndsAndLeavesNothingBehind) {
  AskToy("");
  const size_t before = ProcessesAtRest();
  check::IsolatedQuery query(QueryZygote(), {.wall_time = 3s});
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  const Finding finding = *query.Ask(ReproFor(Toy("fork"), g.graph(), {at::arange(6, at::kFloat)}));
  EXPECT_THAT(Shown(finding), HasSubstr("time limit exceeded"));
  EXPECT_EQ(ProcessesAtRest(), before);
}

/// An environment variable for a scope.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST(ServerTest, AFileInTheFolderOfTheUserIsFoundByItsName) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "culprit/servers");
  std::filesystem::copy(CULPRIT_SOURCE_FOLDER "/tests/servers/toy.py", folder / "culprit/servers/boxed.py");
  EXPECT_FALSE(backends::Describe("boxed").ok());
  const Variable config("XDG_CONFIG_HOME", folder.path());
  const auto described = backends::Describe("boxed");
  ASSERT_TRUE(described.ok()) << described.error().Render();
  EXPECT_EQ(described->line, "runs graphs as they are");
  EXPECT_EQ(backends::List("").back().name, "boxed");
}

TEST(ServerTest, AnEntryPointOfAPackageIsFoundByItsName) {
  const TemporaryFolder folder;
  const std::string package = folder / "lib/python3.11/site-packages/mine-1.dist-info";
  std::filesystem::create_directories(package);
  std::filesystem::create_directories(folder / "bin");
  std::ofstream(package + "/entry_points.txt")
      << "[other]\nboxed = no:No\n\n[culprit.servers]\nboxed = toy:Toy\n";
  std::ofstream(folder / "bin/python") << "#!/bin/sh\nexec " CULPRIT_PYTHON " \"$@\"\n";
  std::filesystem::permissions(folder / "bin/python", std::filesystem::perms::owner_all);
  const Variable environment("VIRTUAL_ENV", folder.path());
  const Variable path("PYTHONPATH", CULPRIT_SOURCE_FOLDER "/tests/servers");
  const auto described = backends::Describe("boxed");
  ASSERT_TRUE(described.ok()) << described.error().Render();
  EXPECT_EQ(described->line, "runs graphs as they are");
}

/// An environment whose PyTorch calls itself 9.9, and computes relu(x) + 1 for relu(x).
class OtherEnvironment {
 public:
  OtherEnvironment() {
    std::filesystem::create_directories(folder_ / "bin");
    std::ofstream(folder_ / "sitecustomize.py")
        << "import torch\n"
           "torch.__version__ = '9.9'\n"
           "library = torch.library.Library('aten', 'IMPL')\n"
           "library.impl('relu', lambda x: torch.clamp(x, 0) + 1, 'CPU')\n";
    std::ofstream(python()) << "#!/bin/sh\nexport PYTHONPATH=" << folder_.path() << ":$PYTHONPATH\nexec "
                            << CULPRIT_PYTHON " -W ignore \"$@\"\n";
    std::filesystem::permissions(python(), std::filesystem::perms::owner_all);
  }
  std::string python() const { return folder_ / "bin/python"; }
  std::string backend() const { return kToyFile + ":python=" + python(); }

  static inline const std::string kToyFile = CULPRIT_SOURCE_FOLDER "/tests/servers/toy.py";

 private:
  TemporaryFolder folder_;
};

TEST(ServerTest, AnotherEnvironmentIsComparedWithItsOwnEager) {
  const OtherEnvironment environment;
  EXPECT_EQ(Shown(Ask(ReluFor(environment.backend()))), "passes");
  EXPECT_EQ(Shown(Ask(ReluFor(environment.backend() + ",fault=write"))),
            "compare: mutated input in inputs[0] (call 1)");
  EXPECT_EQ(Shown(Ask(ReluFor("exec:" + environment.python() + " -P " + OtherEnvironment::kToyFile))),
            "compare: wrong values in outputs[0] (call 1)")
      << "a command is compared with eager of this process";
}

TEST(ServerTest, AnotherEnvironmentIsNamed) {
  const OtherEnvironment environment;
  const auto described = backends::Describe(*backend::ParseSpec(environment.backend()));
  ASSERT_TRUE(described.ok()) << described.error().Render();
  EXPECT_EQ(described->place, "PyTorch 9.9, run by " + environment.python());
  EXPECT_EQ(backends::Describe(OtherEnvironment::kToyFile)->place, "");
}

TEST(ServerTest, AnEnvironmentThatIsNotThereIsAnError) {
  for (const char* path : {"/none/bin/python", "/usr"}) {
    const auto described = backends::Describe(*backend::ParseSpec(fmt::format("inductor:python={}", path)));
    ASSERT_FALSE(described.ok());
    EXPECT_EQ(described.error().Render(),
              fmt::format("backend 'inductor': error: there is no interpreter at '{}'\n"
                          "  help: name the program itself, as in python=/opt/env/bin/python",
                          path));
  }
}

TEST(ServerTest, TheGraphArrivesAsTextToo) {
  EXPECT_THAT(Shown(AskToy("show_text")), HasSubstr("relu = torch.ops.aten.relu.default(x)"));
}

TEST(ServerTest, RecordedVectorInstructionsHold) {
  repro::Repro repro = ReluFor(Toy("show_isa"));
  repro.header.written_by = {.cpu = "AVX2"};
  EXPECT_EQ(Shown(Ask(repro)), "compile: exception __main__.ToyError: avx2");
}

TEST(ServerTest, RecordedThreadsHold) {
  repro::Repro repro = ReluFor(Toy("show_threads"));
  repro.header.run.threads = 2;
  EXPECT_EQ(Shown(Ask(repro)), "compile: exception __main__.ToyError: two");
  repro.header.run.threads = 3;
  EXPECT_EQ(Shown(Ask(repro)), "compile: exception __main__.ToyError: three");
}

/// rand_like(x)
repro::Repro RandFor(const std::string& backend) {
  TestGraph g;
  g.Return({g.Call("aten::rand_like", {g.Placeholder("x")})});
  return ReproFor(backend, g.graph(), {at::arange(6, at::kFloat)});
}

TEST(ServerTest, WhoDrawsAsEagerHasTheStateOfItsGenerator) {
  const Finding finding = Ask(RandFor(Toy("", " --eager-random")));
  EXPECT_EQ(Shown(finding), "passes");
  EXPECT_THAT(finding.warnings, testing::IsEmpty());
  EXPECT_EQ(Shown(Ask(RandFor(Toy("wrong", " --eager-random")))),
            "compare: wrong values in outputs[0] (call 1)");
}

/// Of a compiler that cannot be forked: all in full volume.
TEST(ServerTest, WhatIsStartedAgainEndsAsWhatIsForked) {
  const std::vector<std::string> faults = {"", "crash", "throw", "wrong", "abort", "write", "exit", "refuse"};
  const size_t count = FullVolume() ? faults.size() : 3;
  for (const std::string& fault : std::span(faults).first(count))
    EXPECT_EQ(Shown(Ask(ReluFor(Toy(fault, " --restart")))), Shown(AskToy(fault))) << fault;
}

/// x * w, and w is a parameter.
repro::Repro ScaledFor(const std::string& backend) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x");
  g.Return({g.Call("aten::mul.Tensor", {x, g.Placeholder("w", graph::PlaceholderKind::kParameter)})});
  return ReproFor(backend, g.graph(), {at::arange(6, at::kFloat), at::arange(6, at::kFloat).add(1)});
}

TEST(ServerTest, ParametersAreConstantsOfWhoWantsThemSo) {
  if (!FullVolume()) GTEST_SKIP() << "a server of its own";
  const std::string raised = "compile: exception __main__.ToyError: ";
  EXPECT_EQ(Shown(Ask(ScaledFor(Toy("show_known", " --frozen")))), raised + "input unknown parameter known");
  EXPECT_EQ(Shown(Ask(ScaledFor(Toy("show_known")))), raised + "input unknown parameter unknown");
  EXPECT_EQ(Shown(Ask(ScaledFor(Toy("", " --frozen")))), "passes");
}

TEST(ServerTest, SecondsOfPhasesAreShownToWhoLooksIntoTheCompiler) {
  const auto backend = backends::Open(*backend::ParseSpec(Toy("")));
  ASSERT_TRUE(backend.ok()) << backend.error().Render();
  const repro::Repro repro = ReluFor(Toy(""));
  std::map<std::string, std::string> shown;
  {
    const backend::InsightScope scope(
        [&](const std::string& name, const std::string& text) { shown[name] = text; });
    (*backend)->Compile(repro.graph, repro.inputs);
  }
  EXPECT_EQ(shown["seconds.txt"], "0.250 thinking\n");
  shown.clear();
  (*backend)->Compile(repro.graph, repro.inputs);
  EXPECT_THAT(shown, testing::IsEmpty());
}

TEST(ServerTest, TensorsOfAnotherDeviceAreRefused) {
  const auto backend = backends::Open(*backend::ParseSpec(Toy("")));
  ASSERT_TRUE(backend.ok()) << backend.error().Render();
  const at::Tensor elsewhere = at::empty({6}, at::TensorOptions(at::kMeta).dtype(at::kFloat));
  try {
    (*backend)->Compile(ReluFor(Toy("")).graph, {elsewhere});
    FAIL() << "it is taken";
  } catch (const backend::Refusal& refusal) {
    EXPECT_STREQ(refusal.what(), "'x' is on meta, and the server takes tensors on cpu");
  }
}

TEST(ServerTest, StridesOffsetsAndSharedMemoryArrive) {
  TestGraph g;
  const graph::ValueId x = g.Placeholder("x"), y = g.Placeholder("y");
  const graph::ValueId sum = g.Call("aten::add_.Tensor", {x, y});
  g.Return({sum, g.Call("aten::t", {y})});
  const at::Tensor base = at::arange(24, at::kFloat).view({4, 6});
  EXPECT_EQ(Shown(Ask(ReproFor(Toy(""), g.graph(), {base.slice(1, 1, 3), base.slice(1, 3, 5)}))), "passes");
}

}  // namespace
}  // namespace culprit::tests
