// SPDX-License-Identifier: Apache-2.0
//
// A compiler in a process of its own: whatever it does there, the query ends as if it had done it here.
#include <ATen/ops/arange.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "check/query/query_task.h"
#include "tests/lib/graph_builder.h"
#include "tests/lib/process_census.h"
#include "tests/question/query_zygote.h"

namespace culprit::tests {
namespace {

using check::Finding;
using testing::HasSubstr;
using testing::StartsWith;
using namespace std::chrono_literals;

std::string Toy(const std::string& fault) {
  return fmt::format("exec:{} -P {}/tests/servers/toy.py{}", CULPRIT_PYTHON, CULPRIT_SOURCE_FOLDER,
                     fault.empty() ? "" : ":fault=" + fault);
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

/// Of relu(x), with the fault.
Finding AskToy(const std::string& fault) {
  TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  return Ask(ReproFor(Toy(fault), g.graph(), {at::arange(6, at::kFloat)}));
}

/// How many there are when servers have forked the next child and children are gone.
size_t ProcessesAtRest() {
  std::this_thread::sleep_for(500ms);
  return DescendantsOf(getpid()).size();
}

TEST(ServerTest, WhatIsRightPasses) {
  EXPECT_EQ(Shown(AskToy("")), "passes");
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

TEST(ServerTest, ARefusalIsNoFailure) {
  EXPECT_EQ(Shown(AskToy("refuse")), "invalid: the graph cannot be handed to the compiler: it is too odd");
}

TEST(ServerTest, ACrashIsItsSignalAndFrames) {
  const Finding finding = AskToy("crash");
  EXPECT_THAT(Shown(finding), StartsWith("compile: signal SIGSEGV in "));
  ASSERT_TRUE(finding.failure);
  EXPECT_THAT(finding.failure->frames, testing::Not(testing::IsEmpty()));
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
