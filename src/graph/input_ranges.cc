// SPDX-License-Identifier: Apache-2.0
#include "graph/input_ranges.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "graph/interpreter.h"
#include "graph/tensor_copy.h"

namespace culprit::graph {
namespace {

using Kind = InputRange::Kind;

/// The actual arguments of one call, by name.
class Call {
 public:
  Call(const Operator& op, const torch::jit::Stack& stack) : op_(op), stack_(stack) {}

  const c10::IValue& operator[](std::string_view name) const {
    const auto& formals = op_.schema().arguments();
    const auto found = std::find_if(formals.begin(), formals.end(),
                                    [&](const auto& formal) { return formal.name() == name; });
    return stack_[stack_.size() - formals.size() + (found - formals.begin())];
  }
  at::Tensor tensor(std::string_view name) const { return (*this)[name].toTensor(); }

 private:
  const Operator& op_;
  const torch::jit::Stack& stack_;
};

int64_t SizeOrOne(const at::Tensor& tensor, int64_t dim) {
  return tensor.dim() == 0 ? 1 : tensor.size(dim);
}

using Bound = int64_t (*)(const Call& call);
int64_t RowsOfWeight(const Call& call) {
  return SizeOrOne(call.tensor("weight"), 0);
}
int64_t NumberOfWeights(const Call& call) {
  return call["num_weights"].toInt();
}
int64_t SizeAlongDim(const Call& call) {
  return SizeOrOne(call.tensor("self"), call["dim"].toInt());
}
int64_t NumberOfElements(const Call& call) {
  return call.tensor("self").numel();
}
int64_t NumberOfClasses(const Call& call) {
  return call["num_classes"].toInt();
}
int64_t ClassesOfLogits(const Call& call) {
  const at::Tensor logits = call.tensor("self");
  return logits.dim() < 2 ? SizeOrOne(logits, 0) : logits.size(1);
}
int64_t OutputSize(const Call& call) {
  return call["output_size"].isInt() ? call["output_size"].toInt() : -1;
}
int64_t Nothing(const Call& /*call*/) {
  return 0;
}

struct Row {
  /// Of any overload.
  std::string_view op;
  std::string_view argument;
  Kind kind;
  /// Negative if there is none.
  Bound bound;
};

constexpr Row kRows[] = {
    {"aten::embedding", "indices", Kind::kBelow, RowsOfWeight},
    {"aten::embedding_bag", "indices", Kind::kBelow, RowsOfWeight},
    {"aten::_embedding_bag", "indices", Kind::kBelow, RowsOfWeight},
    {"aten::_embedding_bag_forward_only", "indices", Kind::kBelow, RowsOfWeight},
    {"aten::embedding_dense_backward", "indices", Kind::kBelow, NumberOfWeights},
    {"aten::index_select", "index", Kind::kBelow, SizeAlongDim},
    {"aten::index_add", "index", Kind::kBelow, SizeAlongDim},
    {"aten::index_copy", "index", Kind::kBelow, SizeAlongDim},
    {"aten::index_fill", "index", Kind::kBelow, SizeAlongDim},
    {"aten::gather", "index", Kind::kBelow, SizeAlongDim},
    {"aten::scatter", "index", Kind::kBelow, SizeAlongDim},
    {"aten::scatter_add", "index", Kind::kBelow, SizeAlongDim},
    {"aten::scatter_reduce", "index", Kind::kBelow, SizeAlongDim},
    {"aten::take", "index", Kind::kBelow, NumberOfElements},
    {"aten::put", "index", Kind::kBelow, NumberOfElements},
    {"aten::one_hot", "self", Kind::kBelow, NumberOfClasses},
    {"aten::nll_loss_forward", "target", Kind::kBelow, ClassesOfLogits},
    {"aten::nll_loss_backward", "target", Kind::kBelow, ClassesOfLogits},
    {"aten::nll_loss2d_forward", "target", Kind::kBelow, ClassesOfLogits},
    {"aten::nll_loss2d_backward", "target", Kind::kBelow, ClassesOfLogits},
    {"aten::cross_entropy_loss", "target", Kind::kBelow, ClassesOfLogits},
    {"aten::repeat_interleave", "repeats", Kind::kSumsTo, OutputSize},

    {"aten::log", "self", Kind::kUnit, Nothing},
    {"aten::log2", "self", Kind::kUnit, Nothing},
    {"aten::log10", "self", Kind::kUnit, Nothing},
    {"aten::sqrt", "self", Kind::kUnit, Nothing},
    {"aten::rsqrt", "self", Kind::kUnit, Nothing},
    {"aten::lgamma", "self", Kind::kUnit, Nothing},
    {"aten::native_batch_norm", "running_var", Kind::kUnit, Nothing},
    {"aten::native_batch_norm_backward", "running_var", Kind::kUnit, Nothing},
    {"aten::batch_norm", "running_var", Kind::kUnit, Nothing},
    {"aten::bernoulli", "self", Kind::kUnit, Nothing},
    {"aten::multinomial", "self", Kind::kUnit, Nothing},
    {"aten::binary_cross_entropy", "self", Kind::kUnit, Nothing},
    {"aten::binary_cross_entropy", "target", Kind::kUnit, Nothing},
    {"aten::binary_cross_entropy_backward", "self", Kind::kUnit, Nothing},
    {"aten::binary_cross_entropy_backward", "target", Kind::kUnit, Nothing},
};

/// Operators whose result holds elements of their operands and no others.
constexpr std::string_view kOnlyMoves[] = {
    "aten::view",      "aten::_unsafe_view", "aten::reshape",         "aten::expand",
    "aten::unsqueeze", "aten::squeeze",      "aten::permute",         "aten::transpose",
    "aten::t",         "aten::slice",        "aten::select",          "aten::clone",
    "aten::detach",    "aten::alias",        "aten::_to_copy",        "aten::contiguous",
    "aten::cat",       "aten::stack",        "aten::split",           "aten::chunk",
    "aten::unbind",    "aten::narrow",       "aten::flatten",         "aten::repeat",
    "aten::flip",      "aten::roll",         "aten::lift_fresh_copy", "python::getitem",
};

class RangeFinder : public Observer {
 public:
  explicit RangeFinder(const Graph& graph)
      : graph_(graph), roots_(graph.values().size()), ranges_(graph.placeholders().size()) {
    for (size_t i = 0; i < graph.placeholders().size(); ++i)
      roots_[Index(graph.placeholders()[i].value)] = {i};
  }

  void Before(NodeId id, const torch::jit::Stack& arguments) override {
    const Node& node = graph_.nodes()[Index(id)];
    FollowMoves(node);
    const Call call(*node.op, arguments);
    if (node.op->name() == "aten::index" || node.op->name() == "aten::index_put")
      return BoundIndices(node, call);
    for (const Row& row : kRows) {
      if (row.op == node.op->name()) Apply(row, node, call);
    }
  }

  std::vector<std::optional<InputRange>> TakeRanges() { return std::move(ranges_); }

 private:
  void FollowMoves(const Node& node) {
    if (std::find(std::begin(kOnlyMoves), std::end(kOnlyMoves), node.op->name()) == std::end(kOnlyMoves))
      return;
    std::set<size_t> roots;
    for (const Argument& argument : node.arguments) {
      ForEachValue(argument,
                   [&](ValueId value) { roots.insert(RootsOf(value).begin(), RootsOf(value).end()); });
    }
    for (const ValueId result : node.results) roots_[Index(result)] = roots;
  }

  const std::set<size_t>& RootsOf(ValueId value) const { return roots_[Index(value)]; }

  void Apply(const Row& row, const Node& node, const Call& call) {
    const auto& formals = node.op->schema().arguments();
    for (size_t i = 0; i < formals.size(); ++i) {
      if (formals[i].name() != row.argument || !node.arguments[i].is_value()) continue;
      const int64_t bound = row.bound(call);
      if (bound >= 0) Narrow(node.arguments[i].value(), {row.kind, bound});
    }
  }

  // One index per dimension of self, some of them None.
  void BoundIndices(const Node& node, const Call& call) {
    const at::Tensor self = call.tensor("self");
    if (!node.arguments[1].is_list()) return;
    const Argument::List& indices = node.arguments[1].list();
    for (size_t i = 0; i < indices.size() && static_cast<int64_t>(i) < self.dim(); ++i) {
      if (indices[i].is_value())
        Narrow(indices[i].value(), {Kind::kBelow, self.size(static_cast<int64_t>(i))});
    }
  }

  void Narrow(ValueId value, const InputRange& range) {
    for (const size_t root : RootsOf(value)) {
      std::optional<InputRange>& known = ranges_[root];
      const bool narrower = !known || (known->kind == range.kind && range.bound < known->bound);
      if (narrower) known = range;
    }
  }

  const Graph& graph_;
  // By value: the placeholders whose elements it holds.
  std::vector<std::set<size_t>> roots_;
  std::vector<std::optional<InputRange>> ranges_;
};

}  // namespace

std::vector<std::optional<InputRange>> FindInputRanges(const Graph& graph,
                                                       const std::vector<c10::IValue>& inputs) {
  RangeFinder finder(graph);
  const at::NoGradGuard no_grad;
  try {
    Interpreter(graph).Run(CopyAll(inputs), &finder);
  } catch (const std::exception&) {
    // Whatever it is, it is not ours to report: the caller runs the graph for its own sake.
  }
  return finder.TakeRanges();
}

}  // namespace culprit::graph
