// SPDX-License-Identifier: Apache-2.0
#include "minify/program/subject.h"

#include <algorithm>

#include "graph/tensors/generator_scope.h"
#include "graph/tensors/tensor_copy.h"
#include "graph/tensors/torch_error.h"
#include "minify/program/node_names.h"

namespace culprit::minify {
base::Result<Subject> Subject::Make(Program program, std::shared_ptr<const Costs> costs,
                                    std::optional<graph::RecordingLimits> limits) {
  Subject subject;
  subject.program_ = std::move(program);
  subject.names_ = std::make_shared<const std::vector<std::string>>(NodeNames(subject.graph()));
  subject.nodes_.reserve(subject.operators());
  for (uint32_t i = 0; i < subject.operators(); ++i)
    subject.nodes_.emplace(subject.names()[i], graph::NodeId(i));
  subject.costs_ = std::move(costs);
  subject.limits_ = std::move(limits);
  const graph::GeneratorScope generator;
  try {
    subject.recording_ = std::make_shared<const graph::Recording>(graph::Record(
        subject.graph(), graph::CopyAll(subject.program_.inputs), std::nullopt, subject.limits_));
  } catch (const graph::RecordingError& error) {
    base::Diagnostic diagnostic{{}, error.what()};
    diagnostic.cause = base::Cause::kEnvironment;
    return diagnostic;
  } catch (const std::exception& error) {
    base::Diagnostic diagnostic{{}, "the graph does not run in eager: " + graph::TorchMessage(error)};
    diagnostic.cause = base::Cause::kReference;
    return diagnostic;
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
