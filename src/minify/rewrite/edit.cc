// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/edit.h"

#include <algorithm>
#include <numeric>

#include "graph/passes/extract.h"
#include "minify/rewrite/keep_gradients.h"

namespace culprit::minify {
namespace {

base::Result<Program> Keep(const Subject& subject, const std::vector<graph::NodeId>& nodes) {
  if (nodes.empty()) return base::Diagnostic{{}, "no operator would be left"};
  if (nodes.size() == subject.operators()) return base::Diagnostic{{}, "nothing would change"};
  graph::Extraction extraction = CULPRIT_TRY(graph::Extract(subject.graph(), nodes, subject.recording()));
  Program program{std::move(extraction.graph), std::move(extraction.inputs)};
  KeepGradients(subject.program(), program);
  return program;
}

}  // namespace

Edit KeepNodes(std::string what, std::vector<std::string> names) {
  return {std::move(what),
          [names = std::move(names)](const Subject& subject) { return Keep(subject, subject.Find(names)); }};
}

Edit DropNodes(std::string what, std::vector<std::string> names) {
  return {std::move(what), [names = std::move(names)](const Subject& subject) {
            const std::vector<graph::NodeId> dropped = subject.Find(names);
            std::vector<graph::NodeId> kept;
            for (uint32_t i = 0; i < subject.operators(); ++i) {
              if (!std::ranges::binary_search(dropped, graph::NodeId(i))) kept.push_back(graph::NodeId(i));
            }
            return Keep(subject, kept);
          }};
}

}  // namespace culprit::minify
