// SPDX-License-Identifier: Apache-2.0
#include "cli/joint_graphs.h"

#include <fmt/format.h>

#include <chrono>

#include "autograd/functional/untraceable.h"
#include "base/text.h"
#include "check/model/clone_inputs.h"
#include "check/query/stamp.h"
#include "graph/text/script/script.h"

namespace culprit::cli {
namespace {

using autograd::Lowered;
using base::Counted;
using nlohmann::ordered_json;

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

std::string GraphText(std::string_view what, const graph::Graph& graph) {
  const base::Result<std::string> code = graph::text::PrintGraph(graph);
  return fmt::format("\n{} {}: {}, {}, {}\n{}", what, graph.name(), Counted(graph.nodes().size(), "operator"),
                     Counted(graph.placeholders().size(), "input"), Counted(graph.outputs().size(), "output"),
                     code.ok() ? *code : code.error().message + "\n");
}

ordered_json SavedAsJson(const autograd::SavedValue& saved) {
  return {{"name", saved.name}, {"why", saved.why}, {"bytes", saved.bytes}};
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
  joint.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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

std::string JointAsText(const JointGraphs& joint) {
  if (!joint.lowered) return fmt::format("\nno joint graph of {}: {}\n", joint.name, joint.reason);
  const Lowered& lowered = *joint.lowered;
  std::string text =
      fmt::format("\njoint graph of {}: {}, traced and split in {:.1f} ms\n", joint.name,
                  Counted(lowered.traced.joint.graph.nodes().size(), "operator"), joint.seconds * 1e3);
  for (const auto& [op, count] : lowered.traced.fallbacks)
    text += fmt::format("  {} has no rule for tensors without memory; computed on zeros {}\n", op,
                        Counted(static_cast<size_t>(count), "time"));
  text += GraphText(lowered.has_backward() ? "forward" : "inference", lowered.partition.forward);
  if (!lowered.has_backward()) return text + "\nno output has a gradient, so there is no backward graph\n";
  text += GraphText("backward", lowered.partition.backward);
  return text + "\n" + autograd::Describe(lowered.partition);
}

ordered_json JointAsJson(const JointGraphs& joint) {
  if (!joint.lowered) return {{"name", joint.name}, {"reason", joint.reason}};
  const Lowered& lowered = *joint.lowered;
  ordered_json saved = ordered_json::array();
  for (const autograd::SavedValue& value : lowered.partition.saved) saved.push_back(SavedAsJson(value));
  return {{"name", joint.name},
          {"forward_operators", lowered.partition.forward.nodes().size()},
          {"backward_operators", lowered.partition.backward.nodes().size()},
          {"tangents", lowered.traced.tangents.size()},
          {"saved", saved},
          {"saved_bytes", autograd::SavedBytes(lowered.partition)},
          {"fallbacks", lowered.traced.fallbacks},
          {"milliseconds", joint.seconds * 1e3}};
}

}  // namespace culprit::cli
