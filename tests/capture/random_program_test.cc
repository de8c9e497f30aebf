// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/random_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/runtime/instruction.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include "tests/capture/hazard.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

using testing::IsEmpty;

/// Those of optimised code, and those that libtorch 1.13 writes as an operator (UNCHECKED_CAST) or as several
/// (TUPLE_SLICE).
constexpr std::string_view kNeverInPlainCode[] = {"GUARD",     "TYPECHECK",   "FAIL_GUARD",    "PROFILE_OP",
                                                  "TAIL_CALL", "TUPLE_SLICE", "UNCHECKED_CAST"};

std::set<std::string> AllOpcodes() {
  std::set<std::string> names;
#define CULPRIT_NAME(op, _) names.insert(#op);
  FORALL_OPCODES(CULPRIT_NAME)
#undef CULPRIT_NAME
  for (const std::string_view name : kNeverInPlainCode) names.erase(std::string(name));
  return names;
}

std::string NameOf(torch::jit::OpCode opcode) {
  switch (opcode) {
#define CULPRIT_NAME(op, _) \
  case torch::jit::op:      \
    return #op;
    FORALL_OPCODES(CULPRIT_NAME)
#undef CULPRIT_NAME
  }
  return {};
}

class RandomProgramTest : public testing::Test {
 protected:
  Hazard Write(uint64_t seed) {
    RandomProgram program = MakeRandomProgram(seed);
    WriteWholeFile(folder_ / "program.py", program.source);
    return {.path = folder_ / "program.py", .description = {}, .calls = std::move(program.calls)};
  }

  TemporaryFolder folder_;
};

TEST_F(RandomProgramTest, EveryProgramCompilesAndGivesTheSameTwice) {
  const int programs = Volume(150, 2000);
  size_t calls = 0, thrown = 0;
  for (int seed = 0; seed < programs; ++seed) {
    const Hazard program = Write(seed);
    const auto first = RunHazard(program, PlainInterpreter);
    ASSERT_TRUE(first.ok()) << "seed " << seed << ": " << first.error().Render() << "\n"
                            << MakeRandomProgram(seed).source;
    const auto second = RunHazard(program, PlainInterpreter);
    for (size_t call = 0; call < first->size(); ++call) {
      EXPECT_EQ(Differences((*first)[call], (*second)[call]), "") << "seed " << seed << ", call " << call;
      ++calls;
      if ((*first)[call].facts[0].first == "exception") ++thrown;
    }
  }
  RecordProperty("calls", std::to_string(calls));
  RecordProperty("exceptions", std::to_string(thrown));
  EXPECT_LT(thrown * 4, calls) << thrown << " of " << calls << " calls throw";
}

TEST_F(RandomProgramTest, AllOpcodesAppear) {
  std::set<std::string> missing = AllOpcodes();
  for (uint64_t seed = 0; seed < 150; ++seed) {
    const auto model = model::LoadModel(Write(seed).path);
    ASSERT_TRUE(model.ok()) << model.error().Render();
    for (torch::jit::Function* function : model->AllFunctions()) {
      auto* graph_function = torch::jit::tryToGraphFunction(*function);
      if (graph_function == nullptr) continue;
      const torch::jit::Code code(graph_function->graph(), "");
      for (const torch::jit::Instruction& instruction : code.instructions())
        missing.erase(NameOf(instruction.op));
    }
  }
  EXPECT_THAT(missing, IsEmpty());
}

}  // namespace
}  // namespace culprit::tests
