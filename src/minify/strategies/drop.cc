// SPDX-License-Identifier: Apache-2.0
//
// Some operators less, from the end backwards: a quarter of them at a time, then an eighth, in the end one by
// one, until none can be left out: what remains is 1-minimal.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using Names = std::vector<std::string>;

/// Below, the operators are tried one by one.
constexpr size_t kFewOperators = 8;

size_t FirstWindow(size_t operators) {
  return operators > kFewOperators ? std::bit_floor(operators / 4) : 1;
}

std::string WhatToDrop(const Names& names) {
  if (names.size() == 1) return fmt::format("drop {}", names[0]);
  return fmt::format("drop {} from {} on", base::Counted(names.size(), "operator"), names[0]);
}

class Drop : public StrategyOf<Drop> {
 public:
  std::optional<Edit> Propose(const Subject& subject) override {
    if (window_ == 0) Begin(subject, FirstWindow(subject.operators()));
    if (left_.empty() && window_ > 1) Begin(subject, window_ / 2);
    if (left_.empty()) return std::nullopt;
    const size_t from = left_.size() - std::min(window_, left_.size());
    Names names(left_.begin() + static_cast<std::ptrdiff_t>(from), left_.end());
    left_.resize(from);
    std::string what = WhatToDrop(names);
    return DropNodes(std::move(what), std::move(names));
  }

  void Learn(const Learned& /*learned*/) override {}

 private:
  void Begin(const Subject& subject, size_t window) {
    window_ = window;
    left_ = subject.names();
  }

  size_t window_ = 0;
  Names left_;
};

}  // namespace

std::unique_ptr<Strategy> MakeDrop() {
  return std::make_unique<Drop>();
}

}  // namespace culprit::minify::strategies
