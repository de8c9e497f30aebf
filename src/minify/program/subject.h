// SPDX-License-Identifier: Apache-2.0
//
// The program that a search has arrived at, with what its own eager run has left behind: values for the
// places where it is cut. Strategies look at it and propose edits of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "graph/run/recording.h"
#include "minify/program/costs.h"
#include "minify/program/program.h"

namespace culprit::minify {

class Subject {
 public:
  /// Refused with the reason if the program does not run in eager. The run begins with the CPU's generator as
  /// it is and leaves it so: a search draws the same numbers when it is repeated.
  static base::Result<Subject> Make(Program program, std::shared_ptr<const Costs> costs = nullptr,
                                    std::optional<graph::RecordingLimits> limits = std::nullopt);
  /// Another program of the same search.
  base::Result<Subject> With(Program program) const { return Make(std::move(program), costs_, limits_); }

  const Program& program() const { return program_; }
  const graph::Graph& graph() const { return program_.graph; }
  const graph::Recording& recording() const { return *recording_; }
  size_t operators() const { return graph().nodes().size(); }

  /// node_names.h
  const std::string& NameOf(graph::NodeId node) const { return (*names_)[Index(node)]; }
  /// In program order.
  const std::vector<std::string>& names() const { return *names_; }
  /// Of those that still exist, in program order.
  std::vector<graph::NodeId> Find(const std::vector<std::string>& names) const;
  double CostOf(graph::NodeId node) const { return costs_ ? costs_->Of(NameOf(node)) : 1; }
  /// Of the recorded values.
  const std::optional<graph::RecordingLimits>& limits() const { return limits_; }

 private:
  Subject() = default;

  Program program_;
  std::shared_ptr<const graph::Recording> recording_;
  std::shared_ptr<const Costs> costs_;
  std::optional<graph::RecordingLimits> limits_;
  std::shared_ptr<const std::vector<std::string>> names_;
  std::unordered_map<std::string_view, graph::NodeId> nodes_;
};

}  // namespace culprit::minify
