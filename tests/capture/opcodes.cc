// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/opcodes.h"

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/runtime/instruction.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include <string_view>

namespace culprit::tests {
namespace {

/// Only in code that libtorch's executors have optimised; and what libtorch writes as an operator
/// (UNCHECKED_CAST) or as several (TUPLE_SLICE).
constexpr std::string_view kNeverInPlainCode[] = {"GUARD",     "TYPECHECK",   "FAIL_GUARD",    "PROFILE_OP",
                                                  "TAIL_CALL", "TUPLE_SLICE", "UNCHECKED_CAST"};

}  // namespace

const std::vector<std::string>& AllOpcodes() {
#define CULPRIT_NAME(op, operands) #op,
  static const std::vector<std::string> names = {FORALL_OPCODES(CULPRIT_NAME)};
#undef CULPRIT_NAME
  return names;
}

std::set<std::string> PlainOpcodes() {
  std::set<std::string> names(AllOpcodes().begin(), AllOpcodes().end());
  for (const std::string_view name : kNeverInPlainCode) names.erase(std::string(name));
  return names;
}

void CountOpcodes(torch::jit::Function& function, std::map<std::string, size_t>& counts) {
  const auto* graph_function = torch::jit::tryToGraphFunction(function);
  if (graph_function == nullptr) return;
  const torch::jit::Code code(graph_function->graph(), "");
  for (const torch::jit::Instruction& instruction : code.instructions())
    ++counts[AllOpcodes()[instruction.op]];
}

}  // namespace culprit::tests
