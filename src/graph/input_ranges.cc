// SPDX-License-Identifier: Apache-2.0
#include "graph/input_ranges.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
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
// Without a size that is told, the one that these repeats give; or one repeat of each, if that is nothing.
int64_t OutputSize(const Call& call) {
  if (!call["repeats"].isTensor()) return -1;
  if (call["output_size"].isInt()) return call["output_size"].toInt();
  const at::Tensor repeats = call.tensor("repeats");
  const auto sum = repeats.sum().item<int64_t>();
  return sum > 0 ? sum : repeats.numel();
}
int64_t Nothing(const Call& /*call*/) {
  return 0;
}
// The power of a negative number is no real number then.
int64_t IfExponentIsFractional(const Call& call) {
  const c10::IValue& exponent = call["exponent"];
  if (exponent.isTensor()) return exponent.toTensor().is_floating_point() ? 0 : -1;
  return exponent.isDouble() && exponent.toDouble() != std::trunc(exponent.toDouble()) ? 0 : -1;
}
// Dividing integers by zero is an error.
int64_t IfIntegers(const Call& call) {
  const c10::IValue& divisor = call["other"];
  const bool integers =
      divisor.isTensor() && c10::isIntegralType(divisor.toTensor().scalar_type(), /*includeBool=*/true);
  return integers ? 0 : -1;
}

struct Row {
  /// Of any overload, in place or not.
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

    {"aten::log", "self", Kind::kPositive, Nothing},
    {"aten::log2", "self", Kind::kPositive, Nothing},
    {"aten::log10", "self", Kind::kPositive, Nothing},
    {"aten::log1p", "self", Kind::kUnit, Nothing},
    {"aten::sqrt", "self", Kind::kUnit, Nothing},
    {"aten::rsqrt", "self", Kind::kPositive, Nothing},
    {"aten::lgamma", "self", Kind::kPositive, Nothing},
    {"aten::digamma", "self", Kind::kPositive, Nothing},
    {"aten::acos", "self", Kind::kUnit, Nothing},
    {"aten::asin", "self", Kind::kUnit, Nothing},
    {"aten::atanh", "self", Kind::kUnit, Nothing},
    {"aten::erfinv", "self", Kind::kUnit, Nothing},
    {"aten::logit", "self", Kind::kUnit, Nothing},
    {"aten::pow", "self", Kind::kPositive, IfExponentIsFractional},
    {"aten::div", "other", Kind::kPositive, IfIntegers},
    {"aten::divide", "other", Kind::kPositive, IfIntegers},
    {"aten::floor_divide", "other", Kind::kPositive, IfIntegers},
    {"aten::remainder", "other", Kind::kPositive, IfIntegers},
    {"aten::fmod", "other", Kind::kPositive, IfIntegers},
    {"aten::native_batch_norm", "running_var", Kind::kPositive, Nothing},
    {"aten::native_batch_norm_backward", "running_var", Kind::kPositive, Nothing},
    {"aten::batch_norm", "running_var", Kind::kPositive, Nothing},
    {"aten::bernoulli", "self", Kind::kUnit, Nothing},
    {"aten::multinomial", "self", Kind::kPositive, Nothing},
    {"aten::binary_cross_entropy", "self", Kind::kUnit, Nothing},
    {"aten::binary_cross_entropy", "target", Kind::kUnit, Nothing},
    {"aten::binary_cross_entropy_backward", "self", Kind::kUnit, Nothing},
    {"aten::binary_cross_entropy_backward", "target", Kind::kUnit, Nothing},
};

/// Operators whose result holds elements of their operands and no others.
constexpr std::string_view kOnlyMoves[] = {
    "aten::view",       "aten::_unsafe_view", "aten::reshape",         "aten::expand",    "aten::unsqueeze",
    "aten::squeeze",    "aten::permute",      "aten::transpose",       "aten::t",         "aten::slice",
    "aten::select",     "aten::clone",        "aten::detach",          "aten::alias",     "aten::_to_copy",
    "aten::contiguous", "aten::cat",          "aten::stack",           "aten::split",     "aten::chunk",
    "aten::unbind",     "aten::narrow",       "aten::flatten",         "aten::repeat",    "aten::flip",
    "aten::roll",       "aten::to",           "aten::lift_fresh_copy", "python::getitem", "aten::as_strided",
};

// "aten::log_" => "aten::log"
std::string_view NameOfFamily(std::string_view op) {
  return op.ends_with('_') ? op.substr(0, op.size() - 1) : op;
}

class RangeFinder : public Observer {
 public:
  explicit RangeFinder(const Graph& graph) : graph_(graph), roots_(graph.values().size()) {
    size_t next = 0;
    for (const Placeholder& placeholder : graph.placeholders()) roots_[Index(placeholder.value)] = {next++};
    for (const TensorConstant& constant : graph.constants()) roots_[Index(constant.value)] = {next++};
    ranges_.resize(next);
  }

  void Before(NodeId id, const torch::jit::Stack& arguments) override {
    const Node& node = graph_.nodes()[Index(id)];
    FollowMoves(node);
    const Call call(*node.op, arguments);
    const std::string_view family = NameOfFamily(node.op->name());
    if (family == "aten::index" || family == "aten::index_put") return BoundIndices(node, call);
    for (const Row& row : kRows) {
      if (row.op == family) Apply(row, node, call);
    }
  }

  FoundRanges TakeRanges() const {
    const auto constants = ranges_.begin() + static_cast<ptrdiff_t>(graph_.placeholders().size());
    return {.inputs = {ranges_.begin(), constants}, .constants = {constants, ranges_.end()}};
  }

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
      if (bound >= 0) NarrowRoots(node.arguments[i].value(), {row.kind, bound});
    }
  }

  // One index per dimension of self, some of them None.
  void BoundIndices(const Node& node, const Call& call) {
    const at::Tensor self = call.tensor("self");
    if (!node.arguments[1].is_list()) return;
    const Argument::List& indices = node.arguments[1].list();
    for (size_t i = 0; i < indices.size() && static_cast<int64_t>(i) < self.dim(); ++i) {
      if (indices[i].is_value())
        NarrowRoots(indices[i].value(), {Kind::kBelow, self.size(static_cast<int64_t>(i))});
    }
  }

  void NarrowRoots(ValueId value, const InputRange& range) {
    for (const size_t root : RootsOf(value)) Narrow(ranges_[root], range);
  }

  const Graph& graph_;
  // By value: the placeholders and constants whose elements it holds.
  std::vector<std::set<size_t>> roots_;
  // Those of the placeholders, then those of the constants.
  InputRanges ranges_;
};

}  // namespace

bool Narrow(std::optional<InputRange>& known, const std::optional<InputRange>& also) {
  const bool narrower = also && (!known || also->kind > known->kind ||
                                 (also->kind == known->kind && also->bound < known->bound));
  if (narrower) known = also;
  return narrower;
}

FoundRanges FindInputRanges(const Graph& graph, const std::vector<c10::IValue>& inputs) {
  RangeFinder finder(graph);
  const at::NoGradGuard no_grad;
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const at::Tensor generator_state = generator.get_state();
  bool complete = false;
  try {
    Interpreter(graph).Run(CopyAll(inputs), &finder);
    complete = true;
  } catch (const std::exception&) {
    // Whatever it is, it is not ours to report: the caller runs the graph for its own sake.
  }
  generator.set_state(generator_state);
  FoundRanges found = finder.TakeRanges();
  found.complete = complete;
  return found;
}

}  // namespace culprit::graph
