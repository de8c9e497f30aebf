// SPDX-License-Identifier: Apache-2.0
#include "minify/subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/tensor_copy.h"
#include "graph/torch_error.h"

namespace culprit::minify {
namespace {

std::vector<std::string> NamesOf(const graph::Graph& graph) {
  std::vector<std::string> names;
  std::unordered_map<const graph::Operator*, size_t> without_results;
  for (const graph::Node& node : graph.nodes()) {
    names.push_back(node.results.empty()
                        ? fmt::format("{}#{}", node.op->qualified_name(), ++without_results[node.op])
                        : graph.value(node.results[0]).name);
  }
  return names;
}

}  // namespace

base::Result<Subject> Subject::Make(Program program) {
  Subject subject;
  subject.program_ = std::move(program);
  subject.names_ = NamesOf(subject.graph());
  for (size_t i = 0; i < subject.names_.size(); ++i)
    subject.nodes_.emplace(subject.names_[i], graph::NodeId(i));
  try {
    subject.recording_ = std::make_shared<const graph::Recording>(
        graph::Record(subject.graph(), graph::CopyAll(subject.program_.inputs)));
  } catch (const std::exception& error) {
    return base::Diagnostic{{}, "the graph does not run in eager: " + graph::TorchMessage(error)};
  }
  return subject;
}

std::vector<graph::NodeId> Subject::Find(const std::vector<std::string>& names) const {
  std::vector<graph::NodeId> found;
  for (const std::string& name : names) {
    if (const auto node = nodes_.find(name); node != nodes_.end()) found.push_back(node->second);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace culprit::minify
