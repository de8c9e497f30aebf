// SPDX-License-Identifier: Apache-2.0
#include "check/query/warm_up.h"

#include <ATen/ops/ones.h>

#include "check/query/query.h"

namespace culprit::check {
namespace {

repro::Repro Relu() {
  repro::Repro repro;
  const graph::ValueId x = repro.graph.AddPlaceholder("x");
  const graph::Node& relu =
      repro.graph.AddNode(graph::Operator::Get("aten::relu"), {graph::Argument(x)}, {"relu"});
  repro.graph.SetOutputs({graph::Argument(relu.results[0])});
  repro.inputs = {at::ones({4})};
  repro.header.accuracy = repro::Accuracy::kStrict;
  return repro;
}

}  // namespace

void WarmUp() {
  repro::Repro repro = Relu();
  for (const char* name : {"eager", "torchscript:stage=ofi"}) {
    repro.header.backend = name;
    const auto backend = OpenBackend(repro.header);
    CULPRIT_CHECK(backend.ok(), "{} cannot be opened: {}", name, backend.error().message);
    RunQuery(repro, **backend);
  }
}

}  // namespace culprit::check
