// SPDX-License-Identifier: Apache-2.0
#include "graph/run/interpreter.h"

#include <ATen/core/jit_type.h>

#include "base/internal_error.h"
#include "graph/analysis/memory_sets.h"
#include "graph/tensors/tensor_copy.h"
#include "graph/tensors/wrapped_number.h"

namespace culprit::graph {
namespace {

c10::TypePtr TypeOf(const Slot& slot) {
  switch (slot.kind) {
    case SlotKind::kTensor:
      return slot.optional ? c10::TypePtr(c10::OptionalType::ofTensor())
                           : c10::TypePtr(c10::TensorType::get());
    case SlotKind::kInt:
      return c10::IntType::get();
    case SlotKind::kFloat:
      return c10::FloatType::get();
    case SlotKind::kBool:
      return c10::BoolType::get();
    case SlotKind::kNumber:
      return c10::NumberType::get();
    case SlotKind::kString:
      return c10::StringType::get();
    case SlotKind::kList:
      return c10::ListType::create(TypeOf(*slot.element));
    default:
      CULPRIT_CHECK(false, "a list of {} cannot be built", slot.ToString());
      return nullptr;
  }
}

c10::IValue WithOptionalElements(const c10::IValue& tensors) {
  c10::List<std::optional<at::Tensor>> list;
  for (const c10::IValue& element : tensors.toListRef()) list.push_back(element.toTensor());
  return list;
}

c10::IValue BuildList(const auto& plan, const auto& load) {
  c10::impl::GenericList list(plan.element_type);
  list.reserve(plan.elements.size());
  for (const auto& element : plan.elements) list.push_back(load(element));
  return list;
}

}  // namespace

class InterpreterPlanner {
 public:
  InterpreterPlanner(const Graph& graph, Interpreter& plan)
      : graph_(graph),
        plan_(plan),
        mentions_left_(graph.values().size(), 0),
        constant_of_(graph.values().size()) {}

  void Run() {
    plan_.register_count_ = graph_.values().size();
    for (const Node& node : graph_.nodes()) Count(node.arguments);
    Count(graph_.outputs());
    for (const Placeholder& placeholder : graph_.placeholders())
      plan_.inputs_.push_back(RegisterOf(placeholder.value));
    PlanConstants();
    for (const Node& node : graph_.nodes()) PlanNode(node);
    for (const Argument& output : graph_.outputs()) plan_.outputs_.push_back(PlanOutput(output));
  }

 private:
  using Source = Interpreter::Source;
  using Conversion = Interpreter::Conversion;
  using Operand = Interpreter::Operand;

  void Count(const std::vector<Argument>& arguments) {
    for (const Argument& argument : arguments)
      ForEachValue(argument, [&](ValueId id) { ++mentions_left_[Index(id)]; });
  }

  uint32_t RegisterOf(ValueId id) const {
    return mentions_left_[Index(id)] > 0 ? Index(id) : Interpreter::kDiscard;
  }

  void PlanConstants() {
    MemorySets sets(graph_);
    const std::vector<bool> written = WrittenSets(graph_, sets);
    for (const TensorConstant& constant : graph_.constants()) {
      if (RegisterOf(constant.value) == Interpreter::kDiscard) continue;
      if (written[sets.SetOf(constant.value)]) {
        plan_.constants_to_copy_.push_back({RegisterOf(constant.value), constant.tensor});
      } else {
        constant_of_[Index(constant.value)] = AddConstant(constant.tensor);
      }
    }
  }

  void PlanNode(const Node& node) {
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      Operand operand = PlanArgument(node.arguments[i], node.op->slots()[i], MayKeep(*node.op, i));
      // libtorch returns several of its arguments as references to what it took from the stack, and has let
      // go of that when they are used.
      const bool is_returned = node.results.size() > 1 && node.op->writes(i) && MayKeep(*node.op, i);
      if (operand.source == Source::kMove && is_returned) operand.source = Source::kCopy;
      plan_.operands_.push_back(operand);
    }
    for (const ValueId result : node.results) plan_.results_.push_back(RegisterOf(result));
    plan_.steps_.push_back({node.op, static_cast<uint32_t>(plan_.operands_.size()),
                            static_cast<uint32_t>(plan_.results_.size())});
  }

  // Whether memory given as this argument can be written or live on in a result; then a number's tensor must
  // not be shared between calls.
  static bool MayKeep(const Operator& op, size_t argument) {
    if (op.writes(argument)) return true;
    for (size_t r = 0; r < op.schema().returns().size(); ++r) {
      if (op.may_alias(r, argument)) return true;
    }
    return false;
  }

  Operand PlanOutput(const Argument& output) {
    return output.is_value() ? PlanValue(output.value()) : Constant(output.constant());
  }

  Operand PlanArgument(const Argument& argument, const Slot& slot, bool may_keep) {
    if (argument.is_value()) {
      Operand operand = PlanValue(argument.value());
      operand.conversion = ConversionFor(graph_.value(argument.value()).kind, slot);
      return operand;
    }
    if (argument.is_list()) return PlanList(argument.list(), slot, may_keep);
    const c10::IValue& constant = argument.constant();
    const bool wrapped = slot.kind == SlotKind::kTensor && !constant.isNone();
    if (!wrapped) return Constant(constant);
    if (!may_keep) return Constant(WrappedNumber(constant));
    Operand operand = Constant(constant);
    operand.conversion = Conversion::kNumberToTensor;
    return operand;
  }

  Operand PlanValue(ValueId id) {
    const bool last = --mentions_left_[Index(id)] == 0;
    if (constant_of_[Index(id)]) return {Source::kConstant, Conversion::kNone, *constant_of_[Index(id)]};
    return {last ? Source::kMove : Source::kCopy, Conversion::kNone, Index(id)};
  }

  static Conversion ConversionFor(ValueKind kind, const Slot& slot) {
    if (slot.kind == SlotKind::kTensor && kind != ValueKind::kTensor) return Conversion::kNumberToTensor;
    if (slot.kind == SlotKind::kFloat && kind != ValueKind::kFloat) return Conversion::kIntToFloat;
    const bool optional_tensors =
        slot.kind == SlotKind::kList && slot.element->kind == SlotKind::kTensor && slot.element->optional;
    return optional_tensors ? Conversion::kToOptionalTensors : Conversion::kNone;
  }

  Operand PlanList(const Argument::List& list, const Slot& slot, bool may_keep) {
    Interpreter::ListPlan plan{TypeOf(*slot.element), {}};
    bool constant = true;
    for (const Argument& element : list) {
      plan.elements.push_back(PlanArgument(element, *slot.element, may_keep));
      const Operand& operand = plan.elements.back();
      constant = constant && operand.source == Source::kConstant && operand.conversion == Conversion::kNone;
    }
    if (constant) {
      return Constant(BuildList(plan, [&](const Operand& each) { return plan_.constants_[each.index]; }));
    }
    plan_.lists_.push_back(std::move(plan));
    return {Source::kList, Conversion::kNone, static_cast<uint32_t>(plan_.lists_.size() - 1)};
  }

  uint32_t AddConstant(c10::IValue constant) {
    plan_.constants_.push_back(std::move(constant));
    return plan_.constants_.size() - 1;
  }
  Operand Constant(c10::IValue constant) {
    return {Source::kConstant, Conversion::kNone, AddConstant(std::move(constant))};
  }

  const Graph& graph_;
  Interpreter& plan_;
  std::vector<uint32_t> mentions_left_;
  std::vector<std::optional<uint32_t>> constant_of_;
};

Interpreter::Interpreter(const Graph& graph) {
  InterpreterPlanner(graph, *this).Run();
}

/// The values of one run.
class Interpreter::Frame {
 public:
  explicit Frame(const Interpreter& plan) : plan_(plan), registers_(plan.register_count_) {}

  void Store(uint32_t index, c10::IValue&& value) {
    if (index != kDiscard) registers_[index] = std::move(value);
  }

  c10::IValue Load(const Operand& operand) {
    c10::IValue value = LoadAsItIs(operand);
    if (operand.conversion != Conversion::kNone) value = Converted(std::move(value), operand.conversion);
    return value;
  }

  std::vector<c10::IValue> LoadAll(const std::vector<Operand>& operands) {
    std::vector<c10::IValue> values;
    values.reserve(operands.size());
    for (const Operand& operand : operands) values.push_back(Load(operand));
    return values;
  }

 private:
  c10::IValue LoadAsItIs(const Operand& operand) {
    switch (operand.source) {
      case Source::kConstant:
        return plan_.constants_[operand.index];
      case Source::kCopy:
        return registers_[operand.index];
      case Source::kMove:
        return std::move(registers_[operand.index]);
      case Source::kList:
        return BuildList(plan_.lists_[operand.index], [&](const Operand& element) { return Load(element); });
    }
    return {};
  }

  static c10::IValue Converted(c10::IValue value, Conversion conversion) {
    switch (conversion) {
      case Conversion::kNumberToTensor:
        return value.isTensor() ? value : c10::IValue(WrappedNumber(value));
      case Conversion::kIntToFloat:
        return value.isInt() ? c10::IValue(static_cast<double>(value.toInt())) : value;
      case Conversion::kToOptionalTensors:
        return WithOptionalElements(value);
      case Conversion::kNone:
        break;
    }
    return value;
  }

  const Interpreter& plan_;
  std::vector<c10::IValue> registers_;
};

void Interpreter::RunSteps(Frame& frame, Observer* observer, uint32_t& step) const {
  torch::jit::Stack stack;
  uint32_t operand = 0;
  uint32_t result = 0;
  for (step = 0; step < steps_.size(); ++step) {
    const Step& plan = steps_[step];
    for (; operand < plan.operands_end; ++operand) stack.push_back(frame.Load(operands_[operand]));
    if (observer != nullptr) observer->Before(NodeId(step), stack);
    plan.op->Call(stack);
    CULPRIT_CHECK(stack.size() == plan.results_end - result, "{} left {} results", plan.op->qualified_name(),
                  stack.size());
    if (observer != nullptr) observer->After(NodeId(step), stack);
    for (c10::IValue& value : stack) frame.Store(results_[result++], std::move(value));
    stack.clear();
  }
}

std::vector<c10::IValue> Interpreter::Run(std::vector<c10::IValue> inputs, Observer* observer,
                                          std::optional<Interruption>* interruption) const {
  CULPRIT_CHECK(inputs.size() == inputs_.size(), "the graph takes {} inputs, not {}", inputs_.size(),
                inputs.size());
  Frame frame(*this);
  for (size_t i = 0; i < inputs.size(); ++i) frame.Store(inputs_[i], std::move(inputs[i]));
  inputs.clear();
  TensorCopies copies;
  for (const ConstantToCopy& constant : constants_to_copy_)
    frame.Store(constant.result, copies.Copy(constant.tensor));

  uint32_t step = 0;
  try {
    RunSteps(frame, observer, step);
  } catch (...) {
    if (interruption != nullptr) *interruption = {NodeId(step), frame.LoadAll(outputs_)};
    throw;
  }
  return frame.LoadAll(outputs_);
}

}  // namespace culprit::graph
