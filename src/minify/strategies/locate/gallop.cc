// SPDX-License-Identifier: Apache-2.0
//
// Behind the failing prefix the last operator is guilty. Alone? With the operators that feed it? With those
// that feed these? Small questions, asked before a bisection from the other end; they stay few, since two
// guilty operators may be far apart.
#include <algorithm>
#include <optional>

#include "minify/strategies/locate/few_operators.h"
#include "minify/strategies/locate/operator_windows.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

constexpr size_t kWindows = 3;
constexpr size_t kLargestWindow = 1U << (kWindows - 1);

class Gallop : public StrategyOf<Gallop> {
 public:
  std::optional<Edit> Propose(const Subject& subject) override {
    if (done_ || HasFewOperators(subject)) return std::nullopt;
    if (!windows_) windows_.emplace(subject, graph::NodeId(subject.operators() - 1), kLargestWindow);
    return windows_->Next();
  }

  void Learn(const Learned& learned) override { done_ = learned.accepted; }

 private:
  std::optional<OperatorWindows> windows_;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Strategy> MakeGallop() {
  return std::make_unique<Gallop>();
}

}  // namespace culprit::minify::strategies
