// SPDX-License-Identifier: Apache-2.0
#include "check/run/eager_elsewhere.h"

#include "check/noise/fill_observer.h"

namespace culprit::check {

std::unique_ptr<Model> EagerElsewhere::Copy() const {
  return std::unique_ptr<Model>(new EagerElsewhere(here_, there_->Copy()));
}

std::unique_ptr<Model> ReferenceFor(backend::Backend* elsewhere, const graph::Graph& graph,
                                    const std::vector<c10::IValue>& inputs) {
  if (elsewhere == nullptr || LeavesMemoryUnwritten(graph)) return std::make_unique<GraphModel>(graph);
  return std::make_unique<EagerElsewhere>(*elsewhere, graph, inputs);
}

}  // namespace culprit::check
