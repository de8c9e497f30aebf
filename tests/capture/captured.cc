// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/captured.h"

#include "backends/table.h"
#include "capture/program.h"

namespace culprit::tests {
namespace {

void Count(const capture::Program& program, Coverage& coverage) {
  coverage.recaptures += program.counters().recaptures;
  for (const auto& segment : program.segments()) {
    ++coverage.graphs;
    coverage.operators += segment->graph.nodes().size();
    for (const auto& [op, count] : segment->fallbacks) coverage.fallbacks += static_cast<size_t>(count);
    if (segment->end) ++coverage.breaks[capture::DescriptionOf(segment->end->kind).code];
  }
}

}  // namespace

Callable Captured(const model::Entry& entry, Coverage& coverage) {
  capture::Options options;
  options.compile = [](const capture::Segment& segment, const backend::Values& inputs) {
    static const std::unique_ptr<backend::Backend> eager = *backends::Open({.name = "eager"});
    return std::shared_ptr<backend::Compiled>(eager->Compile(segment.graph, inputs));
  };
  const std::shared_ptr<capture::Program> program(new capture::Program(*entry.function, options),
                                                  [&coverage](const capture::Program* done) {
                                                    Count(*done, coverage);
                                                    delete done;
                                                  });
  return [program](std::vector<c10::IValue> arguments) { return program->Call(std::move(arguments)); };
}

}  // namespace culprit::tests
