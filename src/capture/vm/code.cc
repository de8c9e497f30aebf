// SPDX-License-Identifier: Apache-2.0
#include "capture/vm/code.h"

#include <fmt/format.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>

#include "base/internal_error.h"
#include "capture/vm/autocast_blocks.h"

namespace culprit::capture::vm {
namespace {

std::unique_ptr<const CalledOperator> OperatorOf(const torch::jit::Node& node) {
  const torch::jit::Operator& op = node.getOperator();
  const c10::FunctionSchema& schema = op.schema();
  const graph::Operator* dispatched =
      op.isC10Op() ? graph::Operator::Find(schema.name(), schema.overload_name()) : nullptr;
  return std::make_unique<CalledOperator>(
      CalledOperator{schema.name(), op.getOperation(&node), &schema, op.isC10Op(), dispatched});
}

torch::jit::Function* CalleeOf(const torch::jit::Node& node) {
  const c10::TypePtr& type = node.inputs().at(0)->type();
  if (node.kind() == c10::prim::CallFunction) return type->expectRef<c10::FunctionType>().function();
  return &type->expectRef<c10::ClassType>().getMethod(node.s(c10::attr::name));
}

/// libtorch gives some operators an instruction of their own; here they are operators like the others.
bool CallsOperator(torch::jit::OpCode op) {
  switch (op) {
    case torch::jit::OP:
    case torch::jit::OPN:
    case torch::jit::TUPLE_INDEX:
    case torch::jit::DICT_INDEX:
    case torch::jit::UNCHECKED_CAST:
    case torch::jit::__IS__:
    case torch::jit::UN_INITIALIZED:
    case torch::jit::__ISNOT__:
    case torch::jit::FORMAT:
    case torch::jit::DEVICE:
    case torch::jit::DTYPE:
    case torch::jit::DIM:
    case torch::jit::__NOT__:
    case torch::jit::TO_LIST:
    case torch::jit::NUM_TO_TENSOR:
    case torch::jit::IS_CUDA:
      return true;
    default:
      return false;
  }
}

bool IsLiteral(const torch::jit::Value* value) {
  const torch::jit::Node& node = *value->node();
  if (node.kind() == c10::prim::ListConstruct) return std::ranges::all_of(node.inputs(), IsLiteral);
  return node.kind() == c10::prim::Constant;
}

/// Those that take any number of arguments want to be told how many.
Instruction OperatorCall(const torch::jit::Node* node) {
  const torch::jit::Operator& op = node->getOperator();
  const bool any_number = op.hasOperation() && op.schema().is_vararg();
  Instruction instruction{any_number ? torch::jit::OPN : torch::jit::OP};
  instruction.count = static_cast<uint16_t>(node->inputs().size());
  instruction.node = node;
  instruction.looks_at = any_number ? node->inputs().size() : op.schema().arguments().size();
  instruction.called = OperatorOf(*node);
  return instruction;
}

size_t LooksAt(const torch::jit::Instruction& instruction) {
  switch (instruction.op) {
    case torch::jit::JF:
    case torch::jit::LIST_UNPACK:
    case torch::jit::TUPLE_SLICE:
    case torch::jit::ISINSTANCE:
    case torch::jit::GET_ATTR:
    case torch::jit::ENTER:
    case torch::jit::WAIT:
    case torch::jit::WARN:
      return 1;
    case torch::jit::SET_ATTR:
    case torch::jit::RAISE_EXCEPTION:
      return 2;
    case torch::jit::TUPLE_CONSTRUCT:
      return static_cast<size_t>(instruction.X);
    case torch::jit::NAMED_TUPLE_CONSTRUCT:
    case torch::jit::LIST_CONSTRUCT:
    case torch::jit::DICT_CONSTRUCT:
    case torch::jit::INTERFACE_CALL:
    case torch::jit::FORK:
    case torch::jit::AWAITABLE:
      return instruction.N;
    default:
      return 0;
  }
}

/// "x.3" is the third variable that TorchScript made of x; numbers are none of the program's names.
std::string PlainName(const torch::jit::Value& value) {
  const std::string plain = value.debugName().substr(0, value.debugName().find('.'));
  return plain.find_first_not_of("0123456789") == std::string::npos ? "a temporary" : plain;
}

void NameRegisters(const Instruction& store, std::vector<std::string>& names) {
  const auto outputs = store.node->outputs();
  for (size_t i = 0; i < outputs.size() && static_cast<size_t>(store.operand) + i < names.size(); ++i)
    names[static_cast<size_t>(store.operand) + i] = PlainName(*outputs[i]);
}

c10::TypePtr ReturnTypeOf(const torch::jit::Graph& graph) {
  if (graph.outputs().size() == 1) return graph.outputs()[0]->type();
  std::vector<c10::TypePtr> types;
  for (const torch::jit::Value* output : graph.outputs()) types.push_back(output->type());
  return c10::TupleType::create(std::move(types));
}

}  // namespace

void Perform(const Instruction& instruction, torch::jit::Stack& stack) {
  if (instruction.op == torch::jit::OPN) stack.emplace_back(static_cast<int64_t>(instruction.count));
  // libtorch's type is a callable that says nothing about const.
  torch::jit::Operation operation = instruction.called->operation;
  operation(stack);
}

bool IsWrittenDown(const Instruction& instruction) {
  return std::ranges::all_of(instruction.node->inputs(), IsLiteral);
}

std::string Describe(const Instruction& instruction) {
#define CULPRIT_NAME(op, operands) #op,
  static constexpr const char* kNames[] = {FORALL_OPCODES(CULPRIT_NAME)};
#undef CULPRIT_NAME
  const char* name = kNames[instruction.op];
  if (instruction.called)
    return fmt::format("{} {}", name, c10::toString(instruction.called->schema->operator_name()));
  if (instruction.callee != nullptr) return fmt::format("{} {}", name, instruction.callee->name());
  return fmt::format("{} {}", name, instruction.operand);
}

Code::Code(const std::shared_ptr<torch::jit::Graph>& graph, const std::string& name)
    : name_(name),
      code_(graph, name),
      register_names_(code_.register_size() + 1, "a temporary"),
      return_type_(ReturnTypeOf(*graph)) {
  const std::vector<torch::jit::Instruction>& instructions = code_.instructions();
  instructions_.reserve(instructions.size());
  for (size_t i = 0; i < instructions.size(); ++i) {
    const torch::jit::Node* node = code_.instructions_source()[i];
    if (CallsOperator(instructions[i].op)) {
      instructions_.push_back(OperatorCall(node));
      continue;
    }
    Instruction instruction{instructions[i].op, instructions[i].N, instructions[i].X, node,
                            LooksAt(instructions[i])};
    if (instruction.op == torch::jit::CALL) instruction.callee = CalleeOf(*node);
    if (instruction.op == torch::jit::FORK)
      instruction.forked = std::make_unique<Code>(node->g(c10::attr::Subgraph), "<forked function>");
    if (instruction.op == torch::jit::AWAITABLE)
      instruction.forked = std::make_unique<Code>(node->g(c10::attr::Subgraph), "<awaitable function>");
    if (instruction.op == torch::jit::STORE || instruction.op == torch::jit::STOREN)
      NameRegisters(instruction, register_names_);
    instructions_.push_back(std::move(instruction));
  }
}

std::string Code::NameOfInput(size_t index) const {
  const torch::jit::Node* node = code_.instructions_source().front();
  return PlainName(*node->owningGraph()->inputs()[index]);
}

const Code& CodeBook::Of(torch::jit::Function& function) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const Code>& code = codes_[&function];
  if (!code) {
    CULPRIT_CHECK(function.isGraphFunction(), "{} is not written in TorchScript", function.name());
    function.ensure_defined();
    code = std::make_unique<Code>(WithoutAutocastBlocks(torch::jit::toGraphFunction(function).graph()),
                                  function.name());
  }
  return *code;
}

}  // namespace culprit::capture::vm
