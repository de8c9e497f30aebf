// SPDX-License-Identifier: Apache-2.0
#include "tests/minify/hunting.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/seconds_since.h"
#include "graph/inputs/make_inputs.h"
#include "graph/ir/verify.h"
#include "hunt/oracle/isolated_check.h"
#include "minify/strategies/table.h"
#include "tests/lib/fixtures.h"
#include "tests/question/query_zygote.h"

namespace culprit::tests {
namespace {

using Clock = std::chrono::steady_clock;
using minify::Program;

std::string OperatorsOf(const graph::Graph& graph) {
  std::string names;
  for (const graph::Node& node : graph.nodes()) {
    if (!names.empty()) names += ' ';
    names += node.op->name().substr(node.op->name().find("::") + 2);
    names.resize(std::min(names.size(), names.rfind('.')));
  }
  return names;
}

std::string LogLine(const minify::Asked& asked) {
  return fmt::format("{:<12} {:<40} {} operators, {} outputs: {} {}\n", asked.strategy, asked.edit,
                     asked.program.graph.nodes().size(), asked.program.graph.outputs().size(),
                     backend::NameOf(asked.reply.verdict.answer), asked.reply.verdict.reason);
}

}  // namespace

Program ReadProgram(const std::string& name) {
  const graph::text::Script script = ReadFixtureScript("tests/fixtures/" + name + ".py");
  return {script.graph, graph::inputs::MakeInputs(*script.inputs)->values};
}

Hunt HuntFor(const Program& program, const repro::Header& header, const HuntLimits& hunt_limits) {
  const auto begin = Clock::now();
  const isolate::Limits limits{.wall_time = hunt_limits.wall_time, .memory_bytes = uint64_t{1} << 30};
  check::IsolatedQuery query(QueryZygote(), limits);
  std::vector<size_t> wrong_outputs;
  const check::AskOnce ask = [&](const repro::Repro& repro) {
    base::Result<check::Finding> finding = query.Ask(repro);
    if (finding.ok() && finding->failure) wrong_outputs = finding->wrong_outputs;
    return finding;
  };
  const base::Result<check::Character> character =
      check::Characterize(ask, hunt::ReproOf(program, header), {.queries = hunt_limits.queries});
  Hunt hunt{.program = program};
  if (!character.ok() || !character->invalid.empty()) {
    ADD_FAILURE() << (character.ok() ? character->invalid : character.error().Render());
    return hunt;
  }
  if (!character->expectation) return hunt;
  hunt.signature = character->expectation->signature.ToString();
  hunt::IsolatedCheck check(check::InChildrenOf(QueryZygote()), limits, header, *character->expectation);
  minify::SearchOptions options{
      .strategies = {minify::strategies::AllStrategies().begin(), minify::strategies::AllStrategies().end()}};
  options.costs = std::make_shared<minify::Costs>(minify::MeasureCosts(program));
  options.first = {{minify::Answer::kSameFailure}, std::move(wrong_outputs)};
  options.on_answer = [&](const minify::Asked& asked) {
    EXPECT_TRUE(graph::Verify(asked.program.graph).ok()) << asked.edit;
    hunt.log += LogLine(asked);
  };
  minify::SearchResult result = *minify::Minimize(program, check, options);
  hunt.program = std::move(result.program);
  hunt.operators = OperatorsOf(hunt.program.graph);
  hunt.questions = result.questions;
  hunt.seconds = base::SecondsSince(begin);
  return hunt;
}

std::string Summary(const std::string& name, const Hunt& hunt) {
  return fmt::format("{:<40} {:>3} questions {:>6.1f} s  {}", name, hunt.questions, hunt.seconds,
                     hunt.signature.empty() ? "passes" : hunt.operators);
}

}  // namespace culprit::tests
