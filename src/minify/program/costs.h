// SPDX-License-Identifier: Apache-2.0
//
// What operators cost, so that a search can cut where both halves take the same time. They are measured once,
// at the beginning, and written down with the answers: a search that is taken up again has to cut at the same
// places.
#pragma once

#include <string>
#include <unordered_map>

#include "minify/program/program.h"

namespace culprit::minify {

class Costs {
 public:
  using ByName = std::unordered_map<std::string, double>;

  /// Seconds by the name of the node (node_names.h).
  explicit Costs(ByName by_name = {});

  /// A node that was not there when they were measured costs as much as the others do on average.
  double Of(const std::string& node) const;
  const ByName& by_name() const { return by_name_; }

 private:
  ByName by_name_;
  double mean_ = 1;
};

/// In one eager run; whatever an operator takes, handling it takes some time too. Empty if the program does
/// not run.
Costs MeasureCosts(const Program& program);

}  // namespace culprit::minify
