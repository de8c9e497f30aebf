// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/choose_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"

namespace culprit::graph {
namespace {

struct WeightSlots {
  std::string_view op;
  /// Names of arguments, as the schemas have them.
  std::array<std::string_view, 2> parameters;
  std::array<std::string_view, 2> buffers = {};
  /// Only what was transposed on the way: a product of matrices has no weight of its own otherwise.
  bool transposed = false;
};

constexpr WeightSlots kWeightSlots[] = {
    {"aten::convolution", {"weight", "bias"}},
    {"aten::_convolution", {"weight", "bias"}},
    {"aten::conv1d", {"weight", "bias"}},
    {"aten::conv2d", {"weight", "bias"}},
    {"aten::conv3d", {"weight", "bias"}},
    {"aten::conv_transpose1d", {"weight", "bias"}},
    {"aten::conv_transpose2d", {"weight", "bias"}},
    {"aten::conv_transpose3d", {"weight", "bias"}},
    {"aten::linear", {"weight", "bias"}},
    {"aten::addmm", {"self", "mat2"}, {}, true},
    {"aten::mm", {"mat2"}, {}, true},
    {"aten::matmul", {"other"}, {}, true},
    {"aten::native_batch_norm", {"weight", "bias"}, {"running_mean", "running_var"}},
    {"aten::batch_norm", {"weight", "bias"}, {"running_mean", "running_var"}},
    {"aten::_batch_norm_impl_index", {"weight", "bias"}, {"running_mean", "running_var"}},
    {"aten::instance_norm", {"weight", "bias"}, {"running_mean", "running_var"}},
    {"aten::native_layer_norm", {"weight", "bias"}},
    {"aten::layer_norm", {"weight", "bias"}},
    {"aten::native_group_norm", {"weight", "bias"}},
    {"aten::group_norm", {"weight", "bias"}},
    {"aten::embedding", {"weight"}},
    {"aten::embedding_bag", {"weight"}},
    {"aten::_embedding_bag", {"weight"}},
    {"aten::prelu", {"weight"}},
};

constexpr std::string_view kTransposing[] = {"aten::t", "aten::transpose", "aten::permute", "aten::numpy_T"};
constexpr std::string_view kPassing[] = {"aten::_to_copy", "aten::to",          "aten::detach",
                                         "aten::alias",    "aten::view",        "aten::clone",
                                         "aten::expand",   "aten::_unsafe_view"};

/// Where an argument comes from, through nodes that only present a tensor differently.
struct Provenance {
  std::optional<uint32_t> placeholder;
  bool transposed = false;
};

Provenance Trace(const Graph& graph, const Argument& argument) {
  const Argument* current = &argument;
  bool transposed = false;
  while (current->is_value()) {
    const Value& value = graph.value(current->value());
    if (value.origin == Origin::kPlaceholder && value.kind == ValueKind::kTensor)
      return {value.origin_index, transposed};
    if (value.origin != Origin::kNode) break;
    const Node& node = graph.nodes()[value.origin_index];
    const bool transposes = std::ranges::count(kTransposing, node.op->name()) > 0;
    if (!transposes && std::ranges::count(kPassing, node.op->name()) == 0) break;
    transposed = transposed || transposes;
    current = &node.arguments[0];
  }
  return {};
}

class ParameterFinder {
 public:
  explicit ParameterFinder(Graph& graph) : graph_(graph) {}

  void Run() {
    for (uint32_t i = 0; i < graph_.nodes().size(); ++i) {
      for (const WeightSlots& slots : kWeightSlots) {
        if (graph_.nodes()[i].op->name() == slots.op) MarkWeightsOf(NodeId(i), slots);
      }
    }
    // In x @ x.t() x is what is multiplied.
    for (const uint32_t placeholder : data_) graph_.SetPlaceholderKind(placeholder, PlaceholderKind::kInput);
  }

 private:
  void MarkWeightsOf(NodeId id, const WeightSlots& slots) {
    const Node& node = graph_.node(id);
    if (slots.transposed && !HasTransposedWeight(node)) return;
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      const std::string& name = node.op->schema().arguments()[i].name();
      const Provenance from = Trace(graph_, node.arguments[i]);
      if (!from.placeholder) continue;
      if (std::ranges::count(slots.parameters, name) > 0) {
        graph_.SetPlaceholderKind(*from.placeholder, PlaceholderKind::kParameter);
      } else if (std::ranges::count(slots.buffers, name) > 0) {
        graph_.SetPlaceholderKind(*from.placeholder, PlaceholderKind::kBuffer);
      } else {
        data_.insert(*from.placeholder);
      }
    }
  }

  bool HasTransposedWeight(const Node& node) const {
    return std::ranges::any_of(node.arguments, [&](const Argument& argument) {
      const Provenance from = Trace(graph_, argument);
      return from.placeholder && from.transposed;
    });
  }

  Graph& graph_;
  /// Placeholders that weights are applied to.
  std::set<uint32_t> data_;
};

std::vector<size_t> Parameters(const Graph& graph) {
  std::vector<size_t> parameters;
  for (size_t i = 0; i < graph.placeholders().size(); ++i) {
    if (graph.placeholders()[i].kind != PlaceholderKind::kInput) parameters.push_back(i);
  }
  return parameters;
}

base::Status MarkNamed(Graph& graph, std::string_view list) {
  std::vector<std::string_view> names;
  for (const Placeholder& placeholder : graph.placeholders())
    names.push_back(graph.value(placeholder.value).name);
  std::vector<PlaceholderKind> kinds(names.size(), PlaceholderKind::kInput);
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    const size_t index = std::ranges::find(names, name) - names.begin();
    if (index == names.size()) {
      return base::Diagnostic{
          {}, fmt::format("the graph has no placeholder '{}'{}", name, base::DidYouMean(name, names))};
    }
    const PlaceholderKind named = graph.placeholders()[index].kind;
    kinds[index] = named == PlaceholderKind::kInput ? PlaceholderKind::kParameter : named;
  }
  for (size_t i = 0; i < kinds.size(); ++i) graph.SetPlaceholderKind(i, kinds[i]);
  return base::Done{};
}

}  // namespace

base::Result<ChosenParameters> ChooseParameters(Graph graph, std::string_view choice) {
  if (choice == "none") {
    CULPRIT_TRY(MarkNamed(graph, ""));
  } else if (choice != "auto") {
    CULPRIT_TRY(MarkNamed(graph, choice));
  } else if (Parameters(graph).empty()) {
    ParameterFinder(graph).Run();
  }
  std::vector<size_t> chosen = Parameters(graph);
  return ChosenParameters{std::move(graph), std::move(chosen)};
}

}  // namespace culprit::graph
