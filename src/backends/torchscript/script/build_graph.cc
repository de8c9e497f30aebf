// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/build_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/normalize_ops.h>
#include <torch/csrc/jit/runtime/operator.h>

#include "backend/refusal.h"
#include "backends/torchscript/script/builtin_operators.h"
#include "backends/torchscript/script/number_overload.h"
#include "backends/torchscript/script/types.h"
#include "graph/analysis/memory_sets.h"
#include "graph/tensors/wrapped_number.h"

namespace culprit::backends::torchscript {
namespace {

using graph::Argument;
using graph::Slot;
using graph::SlotKind;
using graph::ValueId;
using graph::ValueKind;
using graph::WrappedNumber;
using torch::jit::Symbol;
namespace jit = torch::jit;

constexpr const char* kBelowAutograd =
    "to hand over the graph below autograd, use: --backend torchscript:graphs=aot";

/// "add = aten::add.Tensor(x, w)".
std::string LineOf(const graph::Graph& graph, const graph::Node& node) {
  std::vector<std::string> results;
  for (const ValueId id : node.results) results.push_back(graph.value(id).name);
  std::vector<std::string> operands;
  for (const Argument& argument : node.arguments)
    ForEachValue(argument, [&](ValueId id) { operands.push_back(graph.value(id).name); });
  return fmt::format("{} = {}({})", fmt::join(results, ", "), node.op->qualified_name(),
                     fmt::join(operands, ", "));
}

/// In training native_batch_norm writes into running statistics, and its schema does not say so. TorchScript
/// goes by schemas: it would make a constant of a copy of frozen statistics, into which every call writes,
/// and leave out a call of which nothing but these is needed. This is the same kernel, and says what it
/// writes.
const graph::Operator& SayingWhatItWrites(const graph::Node& node, const graph::Operator& op) {
  const bool is_hidden = op.qualified_name() == "aten::native_batch_norm" && WritesInto(node, 3);
  const bool has_statistics = is_hidden && node.arguments[3].is_value() && node.arguments[4].is_value();
  return has_statistics ? graph::Operator::Get("aten::_native_batch_norm_legit") : op;
}

/// TorchScript's own derivative of dropout draws random numbers even if nothing is dropped, where eager draws
/// none, and all later numbers would be others. Switched off it gives the same and draws none.
bool DropsNothing(const graph::Node& node) {
  return node.op->qualified_name() == "aten::dropout" && node.arguments[1] == Argument(c10::IValue(0.0)) &&
         node.arguments[2] == Argument(c10::IValue(true));
}

class GraphBuilder {
 public:
  GraphBuilder(const graph::Graph& graph, const backend::Values& inputs)
      : source_(graph), inputs_(inputs), value_of_(graph.values().size()) {}

  BuiltGraph Build() && {
    AddPlaceholders();
    AddConstants();
    for (uint32_t i = 0; i < source_.nodes().size(); ++i) {
      const std::string line = LineOf(source_, source_.nodes()[i]);
      const auto text = std::make_shared<jit::Source>(line, "graph", i + 1);
      range_ = jit::SourceRange(text, 0, line.size());
      AddNode(source_.nodes()[i]);
    }
    AddOutputs();
    // Whatever makes TorchScript graphs does this: passes know operators by one name only.
    jit::NormalizeOps(built_.graph);
    return std::move(built_);
  }

 private:
  jit::Graph& graph() { return *built_.graph; }

  void AddPlaceholders() {
    for (size_t i = 0; i < source_.placeholders().size(); ++i) {
      const graph::Value& value = source_.value(source_.placeholders()[i].value);
      jit::Value* input = graph().addInput(value.name);
      const bool is_none = i < inputs_.size() && inputs_[i].isNone();
      input->setType(is_none ? c10::TypePtr(c10::NoneType::get()) : TypeOf(value.kind));
      value_of_[Index(source_.placeholders()[i].value)] = input;
    }
  }

  // In the order in which nodes use them, as freezing a module orders them.
  void AddConstants() {
    graph::MemorySets sets(source_);
    const std::vector<bool> written = WrittenSets(source_, sets);
    const auto add = [&](ValueId id) {
      const graph::Value& value = source_.value(id);
      if (value.origin != graph::Origin::kConstant || value_of_[Index(id)] != nullptr) return;
      const at::Tensor& tensor = source_.constants()[value.origin_index].tensor;
      const bool is_written = written[sets.SetOf(id)];
      jit::Value* constant =
          is_written ? AddInput(tensor, c10::TensorType::get()) : Constant(tensor.detach());
      value_of_[Index(id)] = constant->setDebugName(value.name);
    };
    for (const graph::Node& node : source_.nodes()) {
      for (const Argument& argument : node.arguments) ForEachValue(argument, add);
    }
    for (const Argument& output : source_.outputs()) ForEachValue(output, add);
  }

  void AddNode(const graph::Node& node) {
    if (node.op->is_builtin()) return AddBuiltin(node);
    CheckWrites(node);
    const graph::Operator& op = SayingWhatItWrites(node, WithNumbers(source_, node));
    std::vector<jit::Value*> operands;
    for (size_t i = 0; i < node.arguments.size(); ++i)
      operands.push_back(Operand(node.arguments[i], op.slots()[i]));
    if (DropsNothing(node)) operands[2] = Constant(false);
    jit::Node* call = Insert(op.name(), operands, node.results.size());
    for (size_t i = 0; i < node.results.size(); ++i)
      call->output(i)->setType(op.schema().returns()[i].type());
    if (!Calls(*call, op)) TypeNones(node, op, *call);
    CheckOverload(*call, op);
    Define(node, *call);
  }

  void AddBuiltin(const graph::Node& node) {
    std::vector<jit::Value*> operands;
    for (size_t i = 0; i < node.arguments.size(); ++i)
      operands.push_back(Operand(node.arguments[i], node.op->slots()[i]));
    const ValueKind kind = node.op->results()->at(0);
    jit::Node* call = Insert(std::string(TorchScriptName(*node.op)), operands, 1);
    call->output()->setType(TypeOf(kind));
    const bool gives_float =
        call->getOperator().schema().returns()[0].type()->kind() == c10::TypeKind::FloatType;
    if (kind == ValueKind::kInt && gives_float) {
      call->output()->setType(c10::FloatType::get());
      call = Insert("aten::Int", {call->output()}, 1);
      call->output()->setType(c10::IntType::get());
    }
    Define(node, *call);
  }

  void Define(const graph::Node& node, jit::Node& call) {
    for (size_t i = 0; i < node.results.size(); ++i) {
      value_of_[Index(node.results[i])] = call.output(i);
      call.output(i)->setDebugName(source_.value(node.results[i]).name);
    }
  }

  // TorchScript does not see such writes, and leaves the call out as one that nobody needs.
  static void CheckWrites(const graph::Node& node) {
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (node.op->slots()[i].kind == SlotKind::kList && WritesInto(node, i))
        throw backend::Refusal(
            fmt::format("TorchScript cannot call {}: it leaves out what writes into the tensors of a list; "
                        "use graphs=aot, where nothing is written",
                        node.op->qualified_name()),
            kBelowAutograd);
    }
  }

  // TorchScript chose by types; it must have chosen what the graph calls.
  static bool Calls(const jit::Node& call, const graph::Operator& op) {
    const jit::Operator* found = call.maybeOperator();
    return found != nullptr && found->schema().overload_name() == op.overload();
  }

  // None fits float? and float[]?, and several overloads with it.
  void TypeNones(const graph::Node& node, const graph::Operator& op, jit::Node& call) {
    const jit::WithInsertPoint before(&call);
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (!node.arguments[i].is_none()) continue;
      call.replaceInput(
          i, Insert("prim::Constant", {}, 1)->output()->setType(op.schema().arguments()[i].type()));
    }
  }

  void CheckOverload(const jit::Node& call, const graph::Operator& op) {
    if (Calls(call, op)) return;
    const jit::Operator* found = call.maybeOperator();
    const std::string instead =
        found == nullptr ? "no overload" : fmt::format("overload '{}'", found->schema().overload_name());
    throw backend::Refusal(
        fmt::format("TorchScript cannot call {}: for its operands it finds {}", op.qualified_name(), instead),
        found == nullptr ? "" : kBelowAutograd);
  }

  void AddOutputs() {
    range_ = jit::SourceRange();
    std::vector<jit::Value*> outputs;
    for (const Argument& output : source_.outputs())
      outputs.push_back(output.is_value() ? ValueOf(output.value()) : Constant(output.constant()));
    graph().registerOutput(graph().insertNode(graph().createTuple(outputs))->output());
  }

  jit::Value* Operand(const Argument& argument, const Slot& slot) {
    if (argument.is_value()) return Converted(argument.value(), slot);
    if (argument.is_list()) return List(argument.list(), slot);
    const c10::IValue& constant = argument.constant();
    if (slot.kind == SlotKind::kTensor && !constant.isNone()) return Constant(WrappedNumber(constant));
    if (slot.kind == SlotKind::kNumber && constant.isBool())
      return AddInput(constant, c10::NumberType::get());
    return Constant(constant);
  }

  jit::Value* Converted(ValueId id, const Slot& slot) {
    const ValueKind kind = source_.value(id).kind;
    if (slot.kind != SlotKind::kFloat || kind == ValueKind::kFloat) return ValueOf(id);
    jit::Node* call = Insert("aten::Float", {ValueOf(id)}, 1);
    return call->output()->setType(c10::FloatType::get());
  }

  jit::Value* List(const Argument::List& list, const Slot& slot) {
    std::vector<jit::Value*> elements;
    for (const Argument& element : list) elements.push_back(Operand(element, *slot.element));
    return graph().insertNode(graph().createList(TypeOf(*slot.element), elements))->output();
  }

  jit::Value* Constant(const c10::IValue& constant) { return graph().insertConstant(constant, range_); }

  jit::Value* AddInput(const c10::IValue& value, c10::TypePtr type) {
    built_.more_inputs.push_back(value);
    return graph().addInput()->setType(std::move(type));
  }

  jit::Value* ValueOf(ValueId id) { return value_of_[Index(id)]; }

  jit::Node* Insert(const std::string& name, const std::vector<jit::Value*>& operands, size_t results) {
    jit::Node* node = graph().create(Symbol::fromQualString(name), operands, results);
    node->setSourceRange(range_);
    return graph().insertNode(node);
  }

  const graph::Graph& source_;
  const backend::Values& inputs_;
  BuiltGraph built_{std::make_shared<jit::Graph>(), {}};
  std::vector<jit::Value*> value_of_;
  jit::SourceRange range_;
};

}  // namespace

BuiltGraph BuildGraph(const graph::Graph& graph, const backend::Values& inputs) {
  return GraphBuilder(graph, inputs).Build();
}

}  // namespace culprit::backends::torchscript
