// SPDX-License-Identifier: Apache-2.0
//
// The tests of the native compiler are worth as much as the mistakes they find. Each mutant is compared with
// eager on random graphs, calls of the matrix and graphs for many sizes, in a process of its own, since it
// may end that.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "tests/compiler/comparable_graph.h"
#include "tests/compiler/judge.h"
#include "tests/compiler/matrix_cases.h"
#include "tests/compiler/mutants/mutants.h"
#include "tests/compiler/native_backend.h"
#include "tests/lib/short_graph.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

/// Wrong where the compiler without a mistake is right.
bool IsWrong(const NativeSetting& setting, const graph::Graph& graph,
             const std::vector<c10::IValue>& inputs) {
  const auto differs = [&](const NativeSetting& way) {
    try {
      return !Judge(*OpenNative(way), graph, inputs).difference.empty();
    } catch (const std::exception&) {
      return true;
    }
  };
  return differs(setting) && !differs(SettingOf("fast"));
}

std::optional<std::string> WrongRandomGraph(const NativeSetting& setting) {
  for (int seed = 0; seed < 120; ++seed) {
    const RandomGraph random = MakeComparableGraph(seed);
    if (IsWrong(setting, random.graph, random.inputs)) return fmt::format("random graph {}", seed);
  }
  return std::nullopt;
}

std::optional<std::string> WrongCell(const NativeSetting& setting) {
  size_t number = 0;
  for (const MatrixCase& each : MatrixCases()) {
    const Layout& layout = kLayouts[++number % 4];
    if (each.arguments.empty()) continue;
    const MatrixGraph graph = MakeGraph(each, at::kFloat, layout);
    const Numbers numbers = number % 2 == 0 ? Numbers::kRandom : Numbers::kZeros;
    if (IsWrong(setting, graph.graph, MakeInputs(each, graph.letters, at::kFloat, layout, numbers)))
      return fmt::format("{}({})", each.op, each.arguments);
  }
  return std::nullopt;
}

/// One compilation, calls of other sizes.
std::optional<std::string> WrongSize(const NativeSetting& setting) {
  graph::Graph graph = ShortGraph(
      "x, y\nadd = add.Tensor(x, y)\ne = exp.default(add)\ns = sum.dim_IntList(e, [-1], True)\n"
      "d = div.Tensor(e, s)\nreturn (d,)");
  graph.SetSymbols(0, {"s0", "s1"});
  graph.SetSymbols(1, {"s0", "s1"});
  for (const int64_t size : {5, 17, 64})
    if (IsWrong(setting, graph, {at::randn({3, size}), at::randn({3, size})}))
      return fmt::format("symbols, size {}", size);
  return std::nullopt;
}

std::optional<std::string> WrongRandomNumbers(const NativeSetting& setting) {
  const graph::Graph graph =
      ShortGraph("x\na = rand_like.default(x)\nb = rand_like.default(x)\nreturn (a, b)");
  if (IsWrong(setting, graph, {at::randn({4})})) return "random numbers";
  return std::nullopt;
}

/// Never throws: the framework of tests would go on in the process of the mutant.
std::string WhatFinds(const Mutant& mutant) try {
  NativeSetting setting{.name = std::string(mutant.name)};
  setting.pipeline = PipelineOf(mutant);
  for (const auto find : {WrongSize, WrongRandomNumbers, WrongRandomGraph, WrongCell})
    if (const auto found = find(setting)) return *found;
  return "";
} catch (const std::exception& error) {
  return error.what();
}

/// Empty if nothing finds it.
std::string WhatFindsInFork(const Mutant& mutant) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return "";
  const pid_t child = fork();
  if (child == 0) {
    alarm(300);
    const std::string found = WhatFinds(mutant);
    const auto written = write(pipe_ends[1], found.data(), found.size());
    _exit(written == static_cast<ssize_t>(found.size()) ? 0 : 1);
  }
  close(pipe_ends[1]);
  std::string found(200, '\0');
  found.resize(std::max<ssize_t>(0, read(pipe_ends[0], found.data(), found.size())));
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  // Who did not come to an end has found nothing.
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return "";
  if (WIFSIGNALED(status)) return fmt::format("ends with signal {}", WTERMSIG(status));
  return found;
}

TEST(NativeMutantsTest, ACompilerWithoutAMistakeIsNotFound) {
  EXPECT_EQ(WhatFindsInFork({"no_mistake", "arrange", [](compiler::pipeline::Compilation&) {}}), "");
}

TEST(NativeMutantsTest, NineOfTenAreFound) {
  // A third of them, or all.
  const size_t step = FullVolume() ? 1 : 3;
  size_t run = 0, found = 0;
  for (size_t i = 0; i < AllMutants().size(); i += step) {
    const Mutant& mutant = AllMutants()[i];
    const std::string by = WhatFindsInFork(mutant);
    ++run;
    found += by.empty() ? 0 : 1;
    fmt::print("{:<40} {}\n", mutant.name, by.empty() ? "not found" : by);
  }
  fmt::print("{} of {} mutants are found\n", found, run);
  EXPECT_GE(AllMutants().size(), 20U);
  EXPECT_GE(found * 10, run * 9);
}

}  // namespace
}  // namespace culprit::tests
