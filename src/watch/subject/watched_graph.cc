// SPDX-License-Identifier: Apache-2.0
#include "watch/subject/watched_graph.h"

#include <algorithm>

#include "graph/passes/hoist_random.h"
#include "graph/passes/own_constants.h"
#include "repro/header/note_parameters.h"
#include "watch/subject/kept_inputs.h"

namespace culprit::watch {
namespace {

/// Autograd has made inputs of most parameters.
repro::Header HeaderOf(const graph::Graph& graph, Point point, repro::Header how) {
  if (point == Point::kAot) repro::NoteParameters(graph, how);
  return how;
}

}  // namespace

WatchedGraph::WatchedGraph(const graph::Graph& source, Point at, repro::Header how,
                           std::shared_ptr<backend::Compiled> original_program)
    : point(at),
      graph(graph::WithOwnConstants(source)),
      interpreter(graph),
      original(std::move(original_program)),
      header(HeaderOf(graph, at, std::move(how))),
      written(WrittenPlaceholders(graph)),
      draws_random(std::ranges::any_of(graph.nodes(), graph::DrawsRandomNumbers)) {}

backend::Values WatchedGraph::RunAsWritten(backend::Values inputs,
                                           std::optional<graph::Interruption>* interruption) const {
  if (original) return original->Call(inputs);
  return interpreter.Run(std::move(inputs), nullptr, interruption);
}

}  // namespace culprit::watch
