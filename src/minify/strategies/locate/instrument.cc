// SPDX-License-Identifier: Apache-2.0
//
// One run with all tensors as outputs shows where the numbers part: the first wrong one names the suspect.
// Then windows that end at it (operator_windows.h), until one fails:
//
//   a b c D E f   =>   E is the first wrong one   =>   E?  D E?
//
// A tensor that is shown cannot be fused away, so the failure may vanish; then every second tensor is shown,
// then every fourth, of those that were not shown before: if one tensor must not be shown, either will do.
// The first wrong one among them has guilty producers that were not shown, which the windows reach just as
// well.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/text.h"
#include "minify/strategies/locate/few_operators.h"
#include "minify/strategies/locate/operator_windows.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using graph::NodeId;
using graph::ValueId;

/// Which tensors are shown: every `stride`-th, counted from the end.
struct Grid {
  size_t stride;
  size_t first;
};
constexpr Grid kGrids[] = {{1, 0}, {2, 1}, {4, 0}};

struct Exposure {
  std::vector<graph::Argument> outputs;
  /// Per output, in program order; the outputs that no operator made stand behind them.
  std::vector<NodeId> makers;
};

/// Whether the run ends with the value as it was made: it is a tensor, and nobody writes into it later. A
/// wrong number in another one may come from somewhere else.
bool StaysAsItIs(const graph::Recording& recording, ValueId id) {
  const graph::RecordedValue& value = recording.value(id);
  if (value.is_list || value.items.size() != 1 || !value.items[0].object) return false;
  const graph::MemoryId memory = recording.StateOf(*value.items[0].object, value.since).memory;
  return recording.VersionAt(memory, value.since) == recording.WritersOf(memory).size();
}

/// The tensors of the grid, and the outputs.
Exposure Expose(const Subject& subject, const Grid& grid) {
  const graph::Graph& graph = subject.graph();
  std::unordered_set<ValueId> chosen;
  std::vector<graph::Argument> others;
  for (const graph::Argument& output : graph.outputs()) {
    const bool is_made = output.is_value() && graph.value(output.value()).origin == graph::Origin::kNode;
    if (is_made) chosen.insert(output.value());
    if (!is_made) others.push_back(output);
  }
  size_t seen = 0;
  for (size_t i = graph.nodes().size(); i-- > 0;) {
    for (const ValueId result : graph.nodes()[i].results) {
      if (StaysAsItIs(subject.recording(), result) && seen++ % grid.stride == grid.first)
        chosen.insert(result);
    }
  }
  Exposure exposure;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    for (const ValueId result : graph.nodes()[i].results) {
      if (!chosen.contains(result)) continue;
      exposure.outputs.emplace_back(result);
      exposure.makers.push_back(NodeId(i));
    }
  }
  exposure.outputs.insert(exposure.outputs.end(), others.begin(), others.end());
  return exposure;
}

class Instrument : public StrategyOf<Instrument> {
 public:
  std::optional<Edit> Propose(const Subject& subject) override {
    if (done_ || HasFewOperators(subject)) return std::nullopt;
    if (suspect_ && !windows_) windows_.emplace(subject, *suspect_, subject.operators());
    if (windows_) return windows_->Next();
    return Show(Expose(subject, kGrids[grid_]));
  }

  void Learn(const Learned& learned) override {
    if (windows_) {
      done_ = learned.fails;
      return;
    }
    if (learned.fails && !learned.wrong_outputs.empty()) {
      const size_t first = std::ranges::min(learned.wrong_outputs);
      if (first < makers_.size()) suspect_ = makers_[first];
    }
    ++grid_;
    done_ = !suspect_ && (learned.fails || grid_ == std::size(kGrids));
  }

 private:
  Edit Show(Exposure exposure) {
    makers_ = std::move(exposure.makers);
    std::string what = fmt::format("show {}", base::Counted(exposure.outputs.size(), "output"));
    return {std::move(what),
            [outputs = std::move(exposure.outputs)](const Subject& subject) {
              Program program = subject.program();
              program.graph.SetOutputs(outputs);
              return base::Result<Program>(std::move(program));
            },
            Acceptance::kNever};
  }

  bool done_ = false;
  size_t grid_ = 0;
  std::vector<NodeId> makers_;
  std::optional<NodeId> suspect_;
  std::optional<OperatorWindows> windows_;
};

}  // namespace

std::unique_ptr<Strategy> MakeInstrument() {
  return std::make_unique<Instrument>();
}

}  // namespace culprit::minify::strategies
