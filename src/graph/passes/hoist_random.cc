// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/hoist_random.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/ir/fresh_names.h"
#include "graph/ir/rebuild.h"
#include "graph/ir/verify.h"

namespace culprit::graph {
namespace {

using base::Diagnostic;
using base::Done;
using base::Status;

// Operators whose result is a sample: what was drawn says everything. In place they end in '_'.
constexpr std::array<std::string_view, 19> kSamplers = {
    "aten::bernoulli",   "aten::binomial",     "aten::cauchy",
    "aten::exponential", "aten::geometric",    "aten::log_normal",
    "aten::multinomial", "aten::normal",       "aten::normal_functional",
    "aten::poisson",     "aten::rand",         "aten::rand_like",
    "aten::randint",     "aten::randint_like", "aten::randn",
    "aten::randn_like",  "aten::random",       "aten::randperm",
    "aten::uniform"};

// Operators that multiply by zeros and ones, which can be read off their result.
constexpr std::array<std::string_view, 4> kDropouts = {"aten::dropout", "aten::dropout_",
                                                       "aten::feature_dropout", "aten::feature_dropout_"};

bool Contains(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsSampler(const Operator& op) {
  std::string_view name = op.name();
  if (name.ends_with('_')) name.remove_suffix(1);
  const bool shifts_its_operand = name == "aten::normal" && op.overload().find("Tensor") != std::string::npos;
  return Contains(kSamplers, name) && op.results()->size() == 1 && !shifts_its_operand;
}

const Argument* Find(const Node& node, std::string_view name) {
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    if (node.op->schema().arguments()[i].name() == name) return &node.arguments[i];
  }
  return nullptr;
}

bool IsFalse(const Argument* argument) {
  return argument != nullptr && argument->is_constant() && argument->constant().isBool() &&
         !argument->constant().toBool();
}

bool IsZero(const Argument* argument) {
  return argument != nullptr && argument->is_constant() && argument->constant().isDouble() &&
         argument->constant().toDouble() == 0;
}

// Which elements dropout has kept. Where the operand is zero it does not matter; where it is infinite, NaN
// means that it was multiplied by zero.
at::Tensor KeptElements(const at::Tensor& operand, const at::Tensor& result) {
  return result.ne(0).logical_and_(operand.isinf().logical_and(result.isnan()).logical_not());
}

class RandomHoister {
 public:
  RandomHoister(const Graph& graph, const Recording& recording)
      : graph_(graph), recording_(recording), rebuild_(graph), names_(graph) {}

  base::Result<HoistedGraph> Run() {
    rebuild_.CopyPlaceholders();
    rebuild_.CopyConstants();
    for (uint32_t i = 0; i < graph_.nodes().size(); ++i) {
      if (DrawsRandomNumbers(graph_.nodes()[i])) {
        CULPRIT_TRY(Hoist(NodeId(i)));
      } else {
        rebuild_.CopyNode(graph_.nodes()[i]);
      }
    }
    rebuild_.CopyOutputs();
    return HoistedGraph{std::move(rebuild_).Take(), std::move(added_inputs_)};
  }

 private:
  Status Hoist(NodeId id) {
    const Node& node = graph_.node(id);
    if (IsSampler(*node.op)) return node.op->writes_any() ? HoistWrittenSample(id) : HoistSample(id);
    if (node.op->qualified_name() == "aten::native_dropout") return HoistNativeDropout(id);
    if (Contains(kDropouts, node.op->name())) return HoistDropout(id);
    return Diagnostic{{}, fmt::format("{} draws random numbers that cannot be made inputs", Name(node))};
  }

  static std::string Name(const Node& node) { return node.op->qualified_name(); }
  const std::string& ResultName(const Node& node, size_t result) const {
    return graph_.value(node.results[result]).name;
  }

  base::Result<at::Tensor> Recorded(ValueId id, Moment moment) const {
    const RecordedItem& item = recording_.value(id).items.at(0);
    const at::Tensor tensor = item.object ? recording_.TensorAt(*item.object, moment) : at::Tensor();
    if (tensor.defined()) return tensor;
    return Diagnostic{{}, fmt::format("the contents of '{}' were not recorded", graph_.value(id).name)};
  }

  ValueId AddInput(std::string name, at::Tensor tensor) {
    added_inputs_.emplace_back(std::move(tensor));
    return rebuild_.graph().AddPlaceholder(std::move(name));
  }

  ValueId AddNode(const char* op, std::vector<Argument> arguments, std::string name) {
    return rebuild_.graph().AddNode(Operator::Get(op), std::move(arguments), {std::move(name)}).results[0];
  }

  Status HoistSample(NodeId id) {
    const Node& node = graph_.node(id);
    const at::Tensor sample = CULPRIT_TRY(Recorded(node.results[0], Index(id) + 1));
    rebuild_.Replace(node.results[0], AddInput(ResultName(node, 0), TensorCopies().Copy(sample)));
    return Done{};
  }

  Status HoistWrittenSample(NodeId id) {
    const Node& node = graph_.node(id);
    size_t target = 0;
    while (!node.op->writes(target)) ++target;
    const RecordedItem& item = recording_.value(node.results[0]).items.at(0);
    const bool resized = item.object && recording_.StateOf(*item.object, Index(id)).geometry !=
                                            recording_.StateOf(*item.object, Index(id) + 1).geometry;
    if (resized) return Diagnostic{{}, fmt::format("{} resizes the tensor it writes into", Name(node))};
    const at::Tensor sample = CULPRIT_TRY(Recorded(node.results[0], Index(id) + 1));
    const ValueId input = AddInput(names_.Derive(ResultName(node, 0)), sample.clone());
    std::vector<Argument> arguments = {rebuild_.Map(node.arguments[target]), input,
                                       Argument(c10::IValue(false))};
    rebuild_.Replace(node.results[0], AddNode("aten::copy_", std::move(arguments), ResultName(node, 0)));
    return Done{};
  }

  // As libtorch computes it on the CPU.
  Status HoistNativeDropout(NodeId id) {
    const Node& node = graph_.node(id);
    const double kept = 1.0 - node.arguments[1].constant().toDouble();
    const Argument scale(c10::IValue(kept == 0 ? 0.0 : 1.0 / kept));
    const at::Tensor recorded = CULPRIT_TRY(Recorded(node.results[1], Index(id) + 1));
    const ValueId mask = AddInput(ResultName(node, 1), TensorCopies().Copy(recorded));
    const ValueId masked = AddNode("aten::mul.Tensor", {rebuild_.Map(node.arguments[0]), mask},
                                   names_.Derive(ResultName(node, 0)));
    rebuild_.Replace(node.results[0], AddNode("aten::mul.Tensor", {masked, scale}, ResultName(node, 0)));
    rebuild_.Replace(node.results[1], mask);
    return Done{};
  }

  Status HoistDropout(NodeId id) {
    const Node& node = graph_.node(id);
    if (!node.arguments[0].is_value() || !node.arguments[1].is_constant())
      return Diagnostic{{}, fmt::format("{} drops with a probability known only at run time", Name(node))};
    const double kept = 1.0 - node.arguments[1].constant().toDouble();
    const at::Tensor operand = CULPRIT_TRY(Recorded(node.arguments[0].value(), Index(id)));
    const at::Tensor result = CULPRIT_TRY(Recorded(node.results[0], Index(id) + 1));
    ValueId noise =
        AddInput(names_.Derive(ResultName(node, 0)), KeptElements(operand, result).to(operand.scalar_type()));
    if (kept != 0) {
      noise = AddNode("aten::div.Scalar", {noise, Argument(c10::IValue(kept))},
                      names_.Derive(ResultName(node, 0)));
    }
    const char* multiply = node.op->writes_any() ? "aten::mul_.Tensor" : "aten::mul.Tensor";
    rebuild_.Replace(node.results[0],
                     AddNode(multiply, {rebuild_.Map(node.arguments[0]), noise}, ResultName(node, 0)));
    return Done{};
  }

  const Graph& graph_;
  const Recording& recording_;
  Rebuild rebuild_;
  FreshNames names_;
  std::vector<c10::IValue> added_inputs_;
};

}  // namespace

bool DrawsRandomNumbers(const Node& node) {
  // Recurrent layers and attention drop elements without admitting it in their tags.
  const Argument* rate = Find(node, "dropout");
  if (rate == nullptr) rate = Find(node, "dropout_p");
  if (!node.op->is_random() && rate == nullptr) return false;
  return !IsFalse(Find(node, "train")) && !IsFalse(Find(node, "training")) && !IsZero(rate);
}

base::Result<HoistedGraph> HoistRandom(const Graph& graph, const Recording& recording) {
  VerifyPass(graph, "before", "HoistRandom");
  HoistedGraph hoisted = CULPRIT_TRY(RandomHoister(graph, recording).Run());
  VerifyPass(hoisted.graph, "behind", "HoistRandom");
  return hoisted;
}

}  // namespace culprit::graph
