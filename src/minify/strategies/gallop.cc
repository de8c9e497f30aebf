// SPDX-License-Identifier: Apache-2.0
//
// Behind the failing prefix the last operator is guilty. Alone? With the operators that feed it? With those
// that feed these? Small questions, asked before a bisection from the other end; the windows grow fast and
// stay few, since two guilty operators may be far apart.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

constexpr size_t kWindows = 3;

class Gallop : public Strategy {
 public:
  std::vector<Edit> Propose(const Subject& subject, size_t at_most) override {
    if (done_) return {};
    if (windows_.empty()) MakeWindows(subject);
    std::vector<Edit> edits;
    for (; next_ < windows_.size() && edits.size() < at_most; ++next_) {
      edits.push_back(
          KeepNodes(fmt::format("keep the last {}", base::Counted(windows_[next_].size(), "operator")),
                    windows_[next_]));
    }
    return edits;
  }

  void Learn(std::span<const Learned> learned) override {
    done_ = std::ranges::any_of(learned, &Learned::accepted);
  }

 private:
  void MakeWindows(const Subject& subject) {
    if (subject.operators() == 0) return;
    std::vector<uint32_t> nodes = {static_cast<uint32_t>(subject.operators() - 1)};
    std::unordered_set<uint32_t> seen(nodes.begin(), nodes.end());
    size_t grown = 0;
    for (size_t i = 0; i < kWindows && 2 * nodes.size() < std::max<size_t>(subject.operators(), 3); ++i) {
      windows_.push_back(NamesOf(subject, nodes));
      const size_t end = nodes.size();
      for (; grown < end; ++grown) AddProducers(subject.graph(), nodes[grown], nodes, seen);
      if (nodes.size() == end) return;
    }
  }

  static std::vector<std::string> NamesOf(const Subject& subject, const std::vector<uint32_t>& nodes) {
    std::vector<std::string> names;
    for (const uint32_t node : nodes) names.push_back(subject.NameOf(graph::NodeId(node)));
    return names;
  }

  static void AddProducers(const graph::Graph& graph, uint32_t node, std::vector<uint32_t>& nodes,
                           std::unordered_set<uint32_t>& seen) {
    for (const graph::Argument& argument : graph.nodes()[node].arguments) {
      ForEachValue(argument, [&](graph::ValueId id) {
        const graph::Value& value = graph.value(id);
        const bool is_new = value.origin == graph::Origin::kNode && seen.insert(value.origin_index).second;
        if (is_new) nodes.push_back(value.origin_index);
      });
    }
  }

  std::vector<std::vector<std::string>> windows_;
  size_t next_ = 0;
  bool done_ = false;
};

}  // namespace

size_t BoundOfGallop(const Subject& /*subject*/) {
  return kWindows;
}

std::unique_ptr<Strategy> MakeGallop() {
  return std::make_unique<Gallop>();
}

}  // namespace culprit::minify::strategies
