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

class ListOfEdits : public Strategy {
 public:
  explicit ListOfEdits(MakeEdits make) : make_(make) {}

  std::vector<Edit> Propose(const Subject& subject, size_t at_most) override {
    if (!begun_) edits_ = make_(subject);
    begun_ = true;
    std::vector<Edit> edits;
    for (; next_ < edits_.size() && edits.size() < at_most; ++next_) edits.push_back(edits_[next_]);
    return edits;
  }

  void Learn(std::span<const Learned>) override {}

 private:
  MakeEdits make_;
  bool begun_ = false;
  std::vector<Edit> edits_;
  size_t next_ = 0;
};

}  // namespace culprit::minify::strategies
