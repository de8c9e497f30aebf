// SPDX-License-Identifier: Apache-2.0
#include "watch/subject.h"

#include <algorithm>

#include "graph/hoist_random.h"
#include "graph/own_constants.h"
#include "watch/kept_inputs.h"

namespace culprit::watch {

Subject::Subject(const graph::Graph& source, Point at, repro::Header how)
    : point(at),
      graph(graph::WithOwnConstants(source)),
      as_written(graph),
      header(std::move(how)),
      written(WrittenPlaceholders(graph)),
      draws_random(std::ranges::any_of(graph.nodes(), graph::DrawsRandomNumbers)) {}

}  // namespace culprit::watch
