// SPDX-License-Identifier: Apache-2.0
//
// The shortest failing prefix, and the shortest failing suffix, by bisection over the operators in program
// order:
//
//   a b c D e f   =>   a b c D   =>   D
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "minify/strategies/locate/bisection.h"
#include "minify/strategies/locate/few_operators.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

class FailingEnd : public StrategyOf<FailingEnd> {
 public:
  explicit FailingEnd(bool is_prefix) : is_prefix_(is_prefix) {}

  std::optional<Edit> Propose(const Subject& subject) override {
    if (!bisection_ && HasFewOperators(subject)) return std::nullopt;
    if (!bisection_) Begin(subject);
    place_ = bisection_->Next();
    if (!place_) return std::nullopt;
    return KeepNodes(
        fmt::format("keep the {} {}", is_prefix_ ? "first" : "last", base::Counted(*place_, "operator")),
        {names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(*place_)});
  }

  void Learn(const Learned& learned) override { bisection_->Learn(*place_, learned.fails); }

 private:
  void Begin(const Subject& subject) {
    names_ = subject.names();
    std::vector<double> costs;
    for (uint32_t i = 0; i < names_.size(); ++i) costs.push_back(subject.CostOf(graph::NodeId(i)));
    if (!is_prefix_) {
      std::ranges::reverse(names_);
      std::ranges::reverse(costs);
    }
    bisection_.emplace(std::move(costs));
  }

  bool is_prefix_;
  // From the end that stays.
  std::vector<std::string> names_;
  std::optional<Bisection> bisection_;
  std::optional<size_t> place_;
};

}  // namespace

std::unique_ptr<Strategy> MakePrefix() {
  return std::make_unique<FailingEnd>(true);
}

std::unique_ptr<Strategy> MakeSuffix() {
  return std::make_unique<FailingEnd>(false);
}

}  // namespace culprit::minify::strategies
