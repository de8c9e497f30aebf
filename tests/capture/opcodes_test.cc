// SPDX-License-Identifier: Apache-2.0
//
// One small program per instruction of TorchScript: tests/fixtures/opcodes/<INSTRUCTION>.py.
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/function_impl.h>

#include <set>

#include "capture/vm/failure.h"
#include "capture/vm/machine.h"
#include "capture/vm/real_effects.h"
#include "tests/capture/hazard.h"
#include "tests/capture/opcodes.h"
#include "tests/lib/fixtures.h"

namespace culprit::tests {
namespace {

using capture::vm::CodeBook;
using capture::vm::Machine;
using capture::vm::RealEffects;
using capture::vm::State;

/// Of the function and of those it calls.
std::set<std::string> OpcodesOf(torch::jit::Function& function) {
  std::set<std::string> names;
  const torch::jit::Code code(torch::jit::toGraphFunction(function).graph(), "");
  for (size_t i = 0; i < code.instructions().size(); ++i) {
    names.insert(AllOpcodes()[code.instructions()[i].op]);
    const torch::jit::Node* node = code.instructions_source()[i];
    if (node->kind() != c10::prim::CallFunction) continue;
    names.merge(OpcodesOf(*node->inputs()[0]->type()->expectRef<c10::FunctionType>().function()));
  }
  return names;
}

Callable MachineOnly(const model::Entry& entry) {
  return [&function = *entry.function](std::vector<c10::IValue> arguments) {
    CodeBook book;
    RealEffects effects(book);
    State state = State::AtEntry(book.Of(function), std::move(arguments));
    try {
      Machine(book, effects).Run(state);
    } catch (const std::exception& error) {
      capture::vm::LeaveWithError(state, capture::vm::CallStackOf(state), error);
    }
    return state.stack.back();
  };
}

class OpcodesTest : public testing::TestWithParam<std::string> {};

TEST_P(OpcodesTest, DoesWhatLibtorchDoes) {
  const std::string path = "tests/fixtures/opcodes/" + GetParam() + ".py";
  const base::Result<Hazard> program = ParseHazard(path, ReadFixture(path));
  ASSERT_TRUE(program.ok()) << program.error().Render();
  std::set<std::string> opcodes;
  const auto expected = RunHazard(*program, [&](const model::Entry& entry) {
    opcodes = OpcodesOf(*entry.function);
    return PlainInterpreter(entry);
  });
  ASSERT_TRUE(expected.ok()) << expected.error().Render();
  EXPECT_TRUE(opcodes.contains(GetParam())) << "the program does not have the instruction";
  const auto actual = RunHazard(*program, MachineOnly);
  ASSERT_TRUE(actual.ok()) << actual.error().Render();
  for (size_t call = 0; call < expected->size(); ++call)
    EXPECT_EQ(Differences((*expected)[call], (*actual)[call]), "") << "call " << call;
}

INSTANTIATE_TEST_SUITE_P(All, OpcodesTest, testing::ValuesIn(PlainOpcodes()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace culprit::tests
