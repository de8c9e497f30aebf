// SPDX-License-Identifier: Apache-2.0
//
// QuickXplain (Junker, 2004) over the operators between the two ends, which are known to be needed: the
// smallest set that fails together with them, in about 2 k log2(n / k) questions for k operators of n. It
// needs "fails" to be monotone; where that is not so, what it finds was seen to fail all the same.
//
//   Explain(background, candidates):            a set of candidates that fails with the background
//     fails(background)?  => {}                 asked if something was added to the background since
//     one candidate       => {candidate}
//     halves c1, c2:  d2 = Explain(background + c1, c2);  d1 = Explain(background + d2, c1);  d1 + d2
//
// The recursion is a stack of frames, since every question goes out through Propose and comes back through
// Learn.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "minify/strategies/locate/few_operators.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

class QuickXplain : public StrategyOf<QuickXplain> {
 public:
  std::optional<Edit> Propose(const Subject& subject) override {
    if (names_.empty() && HasFewOperators(subject)) return std::nullopt;
    if (names_.empty()) Begin(subject);
    while (!frames_.empty()) {
      if (frames_.back().asks) {
        frames_.back().asks = false;
        return KeepNodes(fmt::format("keep {}", base::Counted(background_.size(), "operator")), background_);
      }
      Step();
    }
    return std::nullopt;
  }

  void Learn(const Learned& learned) override {
    if (learned.fails) Return({});
  }

 private:
  /// The candidates begin..end of the names; `stage` says which half is being explained.
  struct Frame {
    size_t begin = 0;
    size_t end = 0;
    bool asks = false;
    int stage = 0;
    std::vector<size_t> found = {};
  };

  void Begin(const Subject& subject) {
    names_ = subject.names();
    for (uint32_t i = 0; i < names_.size(); ++i)
      cost_before_.push_back(cost_before_.back() + subject.CostOf(graph::NodeId(i)));
    background_ = {names_.front(), names_.back()};
    frames_.push_back({1, names_.size() - 1, true});
  }

  void Step() {
    Frame& frame = frames_.back();
    if (frame.end - frame.begin == 1) return Return({frame.begin});
    const size_t middle = MiddleOf(frame);
    const size_t begin = frame.begin;
    const size_t end = frame.end;
    switch (frame.stage++) {
      case 0:
        for (size_t i = begin; i < middle; ++i) background_.push_back(names_[i]);
        frames_.push_back({middle, end, true});
        return;
      case 1: {
        background_.resize(background_.size() - (middle - begin));
        for (const size_t i : frame.found) background_.push_back(names_[i]);
        const bool added = !frame.found.empty();
        frames_.push_back({begin, middle, added});
        return;
      }
      default: {
        std::vector<size_t> found = std::move(frame.found);
        return Return(std::move(found));
      }
    }
  }

  /// Both halves cost the same, as far as possible.
  size_t MiddleOf(const Frame& frame) const {
    const double wanted = (cost_before_[frame.begin] + cost_before_[frame.end]) / 2;
    const auto found = std::ranges::lower_bound(cost_before_, wanted);
    return std::clamp<size_t>(found - cost_before_.begin(), frame.begin + 1, frame.end - 1);
  }

  /// Ends the last frame: what it found goes to the one that called it.
  void Return(std::vector<size_t> found) {
    frames_.pop_back();
    if (frames_.empty()) return;
    Frame& caller = frames_.back();
    if (caller.stage == 2) background_.resize(background_.size() - caller.found.size());
    caller.found.insert(caller.found.end(), found.begin(), found.end());
  }

  std::vector<std::string> names_;
  std::vector<double> cost_before_ = {0.0};
  std::vector<std::string> background_;
  std::vector<Frame> frames_;
};

}  // namespace

std::unique_ptr<Strategy> MakeQuickXplain() {
  return std::make_unique<QuickXplain>();
}

}  // namespace culprit::minify::strategies
