// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "base/internal_error.h"
#include "base/seconds_since.h"
#include "compiler/lower/lower.h"
#include "compiler/passes/decompose.h"
#include "compiler/passes/fold_constants.h"
#include "compiler/passes/merge_equal_calls.h"
#include "compiler/pipeline/verify_compilation.h"
#include "compiler/schedule/split_reductions.h"

namespace culprit::compiler::pipeline {
namespace {

using loops::ValueIndex;

void Decompose(Compilation& compilation, const Applies& applies) {
  const bool is_exact = compilation.options.code.math == codegen::Math::kExact;
  compilation.graph = std::make_shared<graph::Graph>(passes::Decompose(
      *compilation.graph,
      [&](const passes::DecomposeRow& row) { return !(is_exact && row.rounds_otherwise) && applies(); }));
}

void FoldConstants(Compilation& compilation, const Applies& applies) {
  compilation.graph = std::make_shared<graph::Graph>(passes::FoldConstants(*compilation.graph, applies));
}

void MergeEqualCalls(Compilation& compilation, const Applies& applies) {
  passes::Merged merged = passes::MergeEqualCalls(*compilation.graph, applies);
  compilation.graph = std::make_shared<graph::Graph>(std::move(merged.graph));
  compilation.merged_into = std::move(merged.merged_into);
}

bool Writes(const graph::Graph& graph) {
  return std::ranges::any_of(graph.nodes(), [](const graph::Node& node) {
    for (size_t i = 0; i < node.arguments.size(); ++i)
      if (WritesInto(node, i) && !node.arguments[i].is_none()) return true;
    return false;
  });
}

void Lower(Compilation& compilation, const Applies& applies) {
  if (Writes(*compilation.graph)) throw lower::NotLowerable("it writes into its tensors");
  const lower::LowerOptions options{.exact = compilation.options.code.math == codegen::Math::kExact,
                                    .symbolic = compilation.options.symbolic,
                                    .applies = [&](std::string_view /*rule*/) { return applies(); }};
  loops::LoopProgram program = lower::Lower(compilation.graph, compilation.inputs, options);
  program.merged_into = compilation.merged_into;
  compilation.program = std::make_shared<loops::LoopProgram>(std::move(program));
}

void SplitReductions(Compilation& compilation, const Applies& applies) {
  compilation.program = std::make_shared<loops::LoopProgram>(
      schedule::SplitReductions(*compilation.program, compilation.numbers(), applies));
}

void Inline(Compilation& compilation, const Applies& applies) {
  compilation.resolved =
      schedule::Resolve(*compilation.program, {.applies = applies, .numbers = compilation.numbers()});
}

void Fuse(Compilation& compilation, const Applies& applies) {
  compilation.grouping = MakeGroups(*compilation.program, *compilation.resolved, applies);
}

// A misspelt name is nobody's; one that a pass has left no value for is no mistake.
void CheckObserved(const Compilation& compilation) {
  for (const std::string& handle : compilation.options.observed) {
    const std::string name = handle.substr(0, handle.find('.'));
    const auto& values = compilation.graph->values();
    if (std::ranges::find(values, name, &graph::Value::name) == values.end())
      throw std::runtime_error(fmt::format("cannot observe '{}': the graph has no such value", handle));
  }
}

std::vector<ValueIndex> Observed(const Compilation& compilation) {
  std::vector<ValueIndex> observed;
  for (const std::string& handle : compilation.options.observed)
    if (const auto value = compilation.program->Find(handle)) observed.push_back(*value);
  return observed;
}

void Arrange(Compilation& compilation, const Applies& applies) {
  Observe(*compilation.program, Observed(compilation), compilation.numbers(), *compilation.resolved,
          *compilation.grouping);
  compilation.schedule = MakeSchedule(*compilation.program, *compilation.resolved, *compilation.grouping,
                                      compilation.numbers(), applies);
}

void PlanMemory(Compilation& compilation, const Applies& applies) {
  compilation.memory = run::PlanMemory(*compilation.program, *compilation.schedule, applies);
}

void GenerateCode(Compilation& compilation, const Applies& applies) {
  const std::vector<loops::Kernel>& kernels = compilation.schedule->kernels;
  std::vector<loops::Kernel> wanted;
  std::vector<size_t> places;
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (!applies()) continue;
    wanted.push_back(kernels[i]);
    places.push_back(i);
  }
  auto loaded = jit::Load(wanted, compilation.options.code, compilation.options.cache, &compilation.cached);
  compilation.code.resize(kernels.size());
  for (size_t i = 0; i < places.size(); ++i) compilation.code[places[i]] = std::move(loaded[i]);
}

void VerifyBehind(const Pass& pass, const Compilation& compilation) {
  try {
    Verify(compilation);
  } catch (const base::InternalError& error) {
    CULPRIT_CHECK(false, "behind pass {}: {}", pass.name, error.what());
  }
}

void Run(const Pass& pass, Compilation& compilation, backend::SwitchBoard& switches, PassObserver* observer) {
  const auto start = std::chrono::steady_clock::now();
  pass.run(compilation, [&] { return switches.Apply(pass.name); });
  const double seconds = base::SecondsSince(start);
  VerifyBehind(pass, compilation);
  if (observer != nullptr) observer->After(pass, compilation, seconds);
}

}  // namespace

const Pipeline& DefaultPipeline() {
  static const auto& pipeline = *new Pipeline{
      {"decompose", Decompose, "a call becomes others that are better known", /*is_on_graph=*/true},
      {"fold_constants", FoldConstants, "calls whose arguments are all known", /*is_on_graph=*/true},
      {"merge_equal_calls", MergeEqualCalls, "calls that were made before", /*is_on_graph=*/true},
      {"lower", Lower, "an operator becomes a loop; off: libtorch is called"},
      {"split_reductions", SplitReductions,
       "a long reduction becomes one of parts, and one of what these give"},
      {"inline", Inline, "a loop is put into those that read what it computes"},
      {"fuse", Fuse, "a loop joins a kernel; off: it is one of its own"},
      {"arrange", Arrange, "two loops that go through memory as one become one, or go by tiles"},
      {"plan_memory", PlanMemory, "a result takes over the memory of what dies"},
      {"codegen", GenerateCode, "a kernel becomes machine code; off: it is interpreted"},
  };
  return pipeline;
}

void RunOnGraph(Compilation& compilation, const Pipeline& pipeline, backend::SwitchBoard& switches,
                PassObserver* observer) {
  CheckObserved(compilation);
  for (const Pass& pass : pipeline)
    if (pass.is_on_graph) Run(pass, compilation, switches, observer);
}

std::unique_ptr<run::Executable> CompileForInputs(Compilation compilation, const Pipeline& pipeline,
                                                  backend::SwitchBoard& switches, PassObserver* observer) {
  for (const Pass& pass : pipeline)
    if (!pass.is_on_graph) Run(pass, compilation, switches, observer);
  return std::make_unique<run::Executable>(std::move(compilation.program), *std::move(compilation.schedule),
                                           *std::move(compilation.memory), std::move(compilation.code));
}

std::unique_ptr<run::Executable> Compile(Compilation compilation, const Pipeline& pipeline,
                                         backend::SwitchBoard& switches, PassObserver* observer) {
  RunOnGraph(compilation, pipeline, switches, observer);
  return CompileForInputs(std::move(compilation), pipeline, switches, observer);
}

}  // namespace culprit::compiler::pipeline
