// SPDX-License-Identifier: Apache-2.0
//
// Simpler attributes (minify/order/simplest_attribute.h): all of them the simplest, then one by one. Numbers
// without a simplest value are tried as 0, 1, 2 and to one digit.
//
//   c = convolution(x, w, stride 2, padding 3); y = leaky_relu(c, 0.2371)
//   => c = convolution(x, w, stride 1, padding 0); y = leaky_relu(c, 0.01)
#include <fmt/format.h>

#include "minify/order/simplest_attribute.h"
#include "minify/rewrite/rewrite.h"
#include "minify/strategies/list_of_edits.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using graph::Argument;
using graph::NodeId;

base::Result<Program> SimplifyAll(const Subject& subject) {
  bool changes = false;
  Program program = Rewritten(subject.program(), {.change_node = [&](NodeId, graph::Node& node) {
                                for (size_t i = 0; i < node.arguments.size(); ++i) {
                                  const std::vector<Argument> simpler = SimplerAttributes(node, i);
                                  if (simpler.empty()) continue;
                                  node.arguments[i] = simpler[0];
                                  changes = true;
                                }
                              }});
  if (!changes) return base::Diagnostic{{}, "nothing would change"};
  return IfItRuns(std::move(program));
}

base::Result<Program> Set(const Subject& subject, const std::string& name, size_t argument,
                          const Argument& to) {
  const std::vector<NodeId> nodes = subject.Find({name});
  bool changes = false;
  Program program = Rewritten(subject.program(), {.change_node = [&](NodeId id, graph::Node& node) {
                                if (nodes.empty() || id != nodes[0] || argument >= node.arguments.size())
                                  return;
                                const size_t before = AttributeComplexity(node, argument);
                                node.arguments[argument] = to;
                                changes = AttributeComplexity(node, argument) < before;
                              }});
  if (!changes) return base::Diagnostic{{}, "nothing would change"};
  return IfItRuns(std::move(program));
}

std::vector<Edit> EditsOf(const Subject& subject) {
  std::vector<Edit> edits;
  size_t attributes = 0;
  for (uint32_t i = 0; i < subject.operators(); ++i) {
    const graph::Node& node = subject.graph().node(NodeId(i));
    const std::string& name = subject.NameOf(NodeId(i));
    for (size_t argument = 0; argument < node.arguments.size(); ++argument) {
      const std::vector<Argument> simpler = SimplerAttributes(node, argument);
      attributes += simpler.empty() ? 0 : 1;
      for (const Argument& to : simpler) {
        edits.push_back(
            {fmt::format("a simpler {} for {}", node.op->schema().arguments()[argument].name(), name),
             [=](const Subject& now) { return Set(now, name, argument, to); }});
      }
    }
  }
  if (attributes > 1) edits.insert(edits.begin(), {"the simplest attributes everywhere", SimplifyAll});
  return edits;
}

}  // namespace

std::unique_ptr<Strategy> MakeAttributes() {
  return std::make_unique<ListOfEdits>(&EditsOf);
}

}  // namespace culprit::minify::strategies
