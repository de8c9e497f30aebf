// SPDX-License-Identifier: Apache-2.0
#include "minify/fork.h"

#include <algorithm>

namespace culprit::minify {

Fork::Sign Fork::SignOf(const Reply& reply) const {
  Sign sign{reply.fails()};
  if (candidate_->edit.acceptance == Acceptance::kNever) sign.wrong_outputs = reply.wrong_outputs;
  return sign;
}

Fork* Fork::Behind(const Reply& reply) const {
  const auto way = std::ranges::find(ways_, SignOf(reply), &Way::sign);
  return way == ways_.end() ? nullptr : way->fork.get();
}

Fork& Fork::MakeBehind(const Reply& reply) {
  Walk walk = walk_;
  walk.GoOn(*candidate_, reply);
  ways_.push_back({SignOf(reply), std::make_unique<Fork>(std::move(walk))});
  return *ways_.back().fork;
}

std::unique_ptr<Fork> Fork::TakeBehind(const Reply& reply) {
  const auto way = std::ranges::find(ways_, SignOf(reply), &Way::sign);
  if (way != ways_.end()) return std::move(way->fork);
  walk_.GoOn(*candidate_, reply);
  return std::make_unique<Fork>(std::move(walk_));
}

size_t Fork::OperatorsBehind() const {
  size_t operators = 0;
  for (const Way& way : ways_) {
    if (&way.fork->walk().subject() != &walk_.subject()) operators += way.fork->walk().subject().operators();
    operators += way.fork->OperatorsBehind();
  }
  return operators;
}

}  // namespace culprit::minify
