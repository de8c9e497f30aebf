// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/arrivals.h"

#include <torch/csrc/autograd/function_hook.h>

#include <map>
#include <unordered_set>
#include <utility>

namespace culprit::autograd {
namespace {

using torch::autograd::Edge;
using torch::autograd::edge_list;
using torch::autograd::Node;
using torch::autograd::variable_list;

/// Of one function: which of its results goes to which edge.
class Hook : public torch::autograd::FunctionPostHook {
 public:
  Hook(std::vector<std::pair<size_t, size_t>> edge_by_result, ArrivalListener listener)
      : edge_by_result_(std::move(edge_by_result)), listener_(std::move(listener)) {}

  variable_list operator()(const variable_list& results, const variable_list& /*gradients*/) override {
    for (const auto& [result, edge] : edge_by_result_) {
      if (results[result].defined()) listener_(edge, results[result]);
    }
    return results;
  }

 private:
  const std::vector<std::pair<size_t, size_t>> edge_by_result_;
  const ArrivalListener listener_;
};

class Hooker {
 public:
  Hooker(const edge_list& edges, const ArrivalListener& listener) : listener_(listener) {
    for (size_t i = 0; i < edges.size(); ++i) places_.emplace(KeyOf(edges[i]), i);
  }

  void HookAllBehind(const edge_list& roots) {
    std::vector<Node*> waiting;
    const auto meet = [&](const Edge& edge) {
      if (edge.is_valid() && met_.insert(edge.function.get()).second) waiting.push_back(edge.function.get());
    };
    for (const Edge& root : roots) meet(root);
    while (!waiting.empty()) {
      Node* const function = waiting.back();
      waiting.pop_back();
      HookTo(*function);
      for (const Edge& edge : function->next_edges()) meet(edge);
    }
  }

 private:
  using Key = std::pair<const Node*, uint32_t>;
  static Key KeyOf(const Edge& edge) { return {edge.function.get(), edge.input_nr}; }

  void HookTo(Node& function) {
    std::vector<std::pair<size_t, size_t>> edge_by_result;
    for (size_t i = 0; i < function.next_edges().size(); ++i) {
      const auto place = places_.find(KeyOf(function.next_edges()[i]));
      if (place != places_.end()) edge_by_result.emplace_back(i, place->second);
    }
    if (edge_by_result.empty()) return;
    function.add_post_hook(std::make_unique<Hook>(std::move(edge_by_result), listener_));
  }

  const ArrivalListener& listener_;
  std::map<Key, size_t> places_;
  std::unordered_set<const Node*> met_;
};

}  // namespace

void ListenAt(const edge_list& edges, const edge_list& roots, const ArrivalListener& listener) {
  Hooker(edges, listener).HookAllBehind(roots);
}

}  // namespace culprit::autograd
