// SPDX-License-Identifier: Apache-2.0
#include "explain/joint_graphs.h"

#include <chrono>

#include "autograd/functional/untraceable.h"
#include "base/seconds_since.h"
#include "check/model/clone_inputs.h"
#include "check/query/stamp.h"
#include "graph/text/script/script.h"

namespace culprit::explain {
namespace {

using autograd::Lowered;

repro::Repro ReproOf(const graph::Graph& graph, const backend::Values& inputs) {
  repro::Repro repro{autograd::Lifted(graph), check::CloneInputs(inputs), {}};
  repro.header.run = repro::CurrentRunSettings();
  // Casts and gradients are operators of the graph.
  repro.header.run.grad = false;
  repro.header.run.autocast.reset();
  // What autograd saves, and gradients on their way, nobody but autograd sees.
  repro.header.compare.compare_aliasing = false;
  check::Stamp(repro.header);
  return repro;
}

ExplainedHalf ExplainHalf(const graph::Graph& graph) {
  const base::Result<std::string> code = graph::text::PrintGraph(graph);
  return {.name = graph.name(),
          .operators = graph.nodes().size(),
          .inputs = graph.placeholders().size(),
          .outputs = graph.outputs().size(),
          .code = code.ok() ? *code : code.error().message + "\n"};
}

}  // namespace

JointGraphs MakeJoint(const graph::Graph& graph, const backend::Values& inputs,
                      const autograd::PartitionMode& mode) {
  JointGraphs joint{.name = graph.name()};
  const auto start = std::chrono::steady_clock::now();
  try {
    joint.lowered = autograd::Lower(graph, inputs, mode);
  } catch (const autograd::Untraceable& reason) {
    joint.reason = reason.what();
  }
  joint.seconds = base::SecondsSince(start);
  return joint;
}

std::vector<repro::Repro> JointRepros(const JointGraphs& joint, const backend::Values& inputs,
                                      uint64_t seed) {
  if (!joint.lowered) return {};
  const Lowered& lowered = *joint.lowered;
  std::vector<repro::Repro> repros;
  repros.push_back(ReproOf(lowered.partition.forward, autograd::WithoutHistory(inputs)));
  if (lowered.has_backward())
    repros.push_back(
        ReproOf(lowered.partition.backward, autograd::ExampleForBackward(lowered, inputs, seed)));
  return repros;
}

ExplainedJoint ExplainJoint(const JointGraphs& joint) {
  ExplainedJoint told{.name = joint.name, .reason = joint.reason, .seconds = joint.seconds};
  if (!joint.lowered) return told;
  const Lowered& lowered = *joint.lowered;
  told.operators = lowered.traced.joint.graph.nodes().size();
  told.tangents = lowered.traced.tangents.size();
  told.fallbacks = lowered.traced.fallbacks;
  told.forward = ExplainHalf(lowered.partition.forward);
  for (const autograd::SavedValue& value : lowered.partition.saved)
    told.saved.push_back({value.name, std::string(value.why), value.bytes});
  told.saved_bytes = autograd::SavedBytes(lowered.partition);
  if (!lowered.has_backward()) return told;
  told.backward = ExplainHalf(lowered.partition.backward);
  told.partition = autograd::Describe(lowered.partition);
  return told;
}

}  // namespace culprit::explain
