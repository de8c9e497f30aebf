// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/captured.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backends/table.h"
#include "capture/captured_program.h"
#include "tests/capture/forgiven.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

void Count(const capture::CapturedProgram& program, Coverage& coverage) {
  coverage.recaptures += program.counters().recaptures;
  for (const auto& segment : program.segments()) {
    ++coverage.graphs;
    coverage.operators += segment->graph.nodes().size();
    for (const auto& [op, count] : segment->fallbacks) coverage.fallbacks[op] += count;
    if (segment->end) ++coverage.breaks[capture::DescriptionOf(segment->end->kind).code];
  }
}

bool SplitsGraphs(const backend::Spec& spec) {
  return backends::Describe(spec.name)->graphs[0] == backend::Graphs::kAfterAutograd;
}

bool HasModule(const Observation& observation) {
  return std::ranges::find(observation.facts, "module", &Fact::first) != observation.facts.end();
}

bool Recomputes(const backend::Spec& spec) {
  const backend::OptionSetting min_cut{"partition", "min-cut"};
  return std::ranges::find(spec.options, min_cut) != spec.options.end();
}

}  // namespace

Callable Captured(const model::Entry& entry, Coverage& coverage, const std::string& backend) {
  capture::Options options;
  const std::shared_ptr<backend::Backend> compiler =
      *backends::Open(*backend::ParseSpec(backend), {.log = [&coverage](const std::string& line) {
        coverage.unsplit += line.find("runs as it is") != std::string::npos ? 1 : 0;
      }});
  options.compile = [compiler](const capture::Segment& segment, const backend::Values& inputs) {
    return std::shared_ptr<backend::Compiled>(compiler->Compile(segment.graph, inputs));
  };
  options.warn = [&coverage](const std::string& text) {
    if (text.find("internal error") != std::string::npos) coverage.internal_errors += text + "\n";
  };
  const std::shared_ptr<capture::CapturedProgram> program(
      new capture::CapturedProgram(*entry.function, options),
      [&coverage](const capture::CapturedProgram* done) {
        Count(*done, coverage);
        delete done;
      });
  return [program](std::vector<c10::IValue> arguments) { return program->Call(std::move(arguments)); };
}

base::Result<Comparison> CompareCaptured(const Hazard& program, Coverage& coverage,
                                         const std::string& backend) {
  Comparison comparison{.expected = CULPRIT_TRY(RunHazard(program, PlainInterpreter)), .differences = {}};
  const auto actual = CULPRIT_TRY(
      RunHazard(program, [&](const model::Entry& entry) { return Captured(entry, coverage, backend); }));
  const backend::Spec spec = *backend::ParseSpec(backend);
  const bool forgives = SplitsGraphs(spec);
  bool has_lost_writes = false;
  for (size_t call = 0; call < actual.size(); ++call) {
    const Observation& expected = comparison.expected[call];
    const Forgiven forgiven =
        forgives ? Forgive(expected, actual[call], Recomputes(spec)) : Forgiven{.wanted = expected};
    coverage.forgiven += has_lost_writes || forgiven.wanted.facts != expected.facts;
    const std::string differences = has_lost_writes ? "" : Differences(forgiven.wanted, actual[call]);
    if (!differences.empty()) comparison.differences += fmt::format("call {}\n{}", call, differences);
    has_lost_writes |= forgiven.has_lost_writes && HasModule(expected);
  }
  comparison.differences += std::exchange(coverage.internal_errors, "");
  return comparison;
}

std::string DifferencesWhenCaptured(const std::string& path, const std::string& text) {
  WriteWholeFile(path, text);
  Coverage coverage;
  const auto comparison = CompareCaptured(*ParseHazard(path, text), coverage);
  return comparison.ok() ? comparison->differences : comparison.error().Render();
}

}  // namespace culprit::tests
