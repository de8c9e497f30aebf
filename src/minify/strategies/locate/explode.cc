// SPDX-License-Identifier: Apache-2.0
//
// All operators in one program, each on its own (minify/rewrite/explode.h): one question shows every operator
// that computes wrongly by itself. The first of them is proposed alone. That it passes alone acquits nobody:
// some compilers touch no operator that has no neighbours.
#include "minify/rewrite/explode.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "minify/strategies/locate/few_operators.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

/// Not if the inputs, which are all tensors of the run, would not fit in memory.
bool IsWorthIt(const Subject& subject) {
  return !HasFewOperators(subject) && !subject.recording().is_spilled();
}

class ExplodeStrategy : public StrategyOf<ExplodeStrategy> {
 public:
  std::optional<Edit> Propose(const Subject& subject) override {
    if (!begun_ && IsWorthIt(subject)) return AllAlone(subject);
    if (!suspect_) return std::nullopt;
    const std::string& name = subject.NameOf(*std::exchange(suspect_, std::nullopt));
    return KeepNodes(fmt::format("keep {} alone", name), {name});
  }

  void Learn(const Learned& learned) override {
    const std::vector<graph::NodeId> makers = std::exchange(makers_, {});
    if (makers.empty() || !learned.fails || learned.wrong_outputs.empty()) return;
    const size_t first = std::ranges::min(learned.wrong_outputs);
    if (first < makers.size()) suspect_ = makers[first];
  }

 private:
  Edit AllAlone(const Subject& subject) {
    begun_ = true;
    Exploded exploded = Explode(subject);
    makers_ = std::move(exploded.makers);
    return {"let every operator stand alone",
            [program = std::move(exploded.program)](const Subject&) -> base::Result<Program> {
              if (program.graph.nodes().empty()) return base::Diagnostic{{}, "no operator can stand alone"};
              return program;
            },
            Acceptance::kNever};
  }

  bool begun_ = false;
  // Until the answer comes.
  std::vector<graph::NodeId> makers_;
  std::optional<graph::NodeId> suspect_;
};

}  // namespace

std::unique_ptr<Strategy> MakeExplode() {
  return std::make_unique<ExplodeStrategy>();
}

}  // namespace culprit::minify::strategies
