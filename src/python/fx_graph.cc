// SPDX-License-Identifier: Apache-2.0
#include "python/fx_graph.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include "graph/ir/verify.h"
#include "graph/text/script/script.h"

namespace culprit::python {

base::Result<FxGraph> FxGraph::Read(const std::string& name, const std::string& text,
                                    std::map<std::string, at::Tensor> constants) {
  graph::text::Script script =
      CULPRIT_TRY(graph::text::ReadScript(name, text, {.constants = std::move(constants)}));
  // Of what the text leaves open something was made up.
  if (!script.warnings.empty()) return script.warnings.front();
  CULPRIT_TRY(graph::Verify(script.graph));
  script.graph.set_name(name);
  return FxGraph(std::move(script.graph));
}

void FxGraph::AddInput(const TensorShape& shape) {
  const at::Tensor nothing = at::empty({0}, shape.dtype);
  inputs_.emplace_back(world_->FakeOf(nothing, shape.sizes, shape.strides));
}

void FxGraph::AddInput(c10::IValue value) {
  inputs_.push_back(std::move(value));
}

}  // namespace culprit::python
