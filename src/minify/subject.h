// SPDX-License-Identifier: Apache-2.0
//
// The program that a search has arrived at, with what its own eager run has left behind: values for the
// places where it is cut. Strategies look at it and propose edits of it.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "graph/recording.h"
#include "minify/program.h"

namespace culprit::minify {

class Subject {
 public:
  /// Refused with the reason if the program does not run in eager.
  static base::Result<Subject> Make(Program program);

  const Program& program() const { return program_; }
  const graph::Graph& graph() const { return program_.graph; }
  const graph::Recording& recording() const { return *recording_; }
  size_t operators() const { return graph().nodes().size(); }

  /// Names survive edits, indices do not: a node is named after its first result, or after its operator and
  /// place if it has none.
  const std::string& NameOf(graph::NodeId node) const { return names_[Index(node)]; }
  /// Of those that still exist, in program order.
  std::vector<graph::NodeId> Find(const std::vector<std::string>& names) const;

 private:
  Subject() = default;

  Program program_;
  std::shared_ptr<const graph::Recording> recording_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, graph::NodeId> nodes_;
};

}  // namespace culprit::minify
