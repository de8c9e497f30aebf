// SPDX-License-Identifier: Apache-2.0
//
// Strategies that know at the beginning what they are going to propose: a list of edits, gone through once.
// An edit may turn out to have nothing to do any more when its turn comes; it refuses then.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "minify/strategy.h"

namespace culprit::minify::strategies {

using MakeEdits = std::vector<Edit> (*)(const Subject& subject);

class ListOfEdits : public StrategyOf<ListOfEdits> {
 public:
  explicit ListOfEdits(MakeEdits make) : make_(make) {}

  std::optional<Edit> Propose(const Subject& subject) override {
    if (!edits_) edits_ = std::make_shared<const std::vector<Edit>>(make_(subject));
    if (next_ == edits_->size()) return std::nullopt;
    return (*edits_)[next_++];
  }

  void Learn(const Learned& /*learned*/) override {}

 private:
  MakeEdits make_;
  /// Shared by copies.
  std::shared_ptr<const std::vector<Edit>> edits_;
  size_t next_ = 0;
};

}  // namespace culprit::minify::strategies
