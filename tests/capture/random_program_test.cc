// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/random_program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "capture/breaks/breaks.h"
#include "tests/capture/captured.h"
#include "tests/capture/opcodes.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

using testing::IsEmpty;

/// What the programs of a test had in them.
struct Met {
  size_t programs = 0;
  size_t calls = 0;
  size_t exceptions = 0;
  std::map<std::string, size_t> opcodes;
  Coverage coverage;

  std::string ToString() const {
    std::string text = fmt::format(
        "{} programs, {} calls, {} exceptions, {} graphs of {} operators, {} captured again\nopcodes:",
        programs, calls, exceptions, coverage.graphs, coverage.operators, coverage.recaptures);
    for (const auto& [name, count] : opcodes) text += fmt::format(" {} {}", name, count);
    text += "\nbreaks:";
    for (const auto& [code, count] : coverage.breaks) text += fmt::format(" {} {}", code, count);
    return text + "\n";
  }
};

class RandomProgramTest : public testing::Test {
 protected:
  /// Compares it and looks into its code.
  void Meet(uint64_t seed, Met& met) {
    const std::string text = MakeRandomProgram(seed), path = folder_ / "program.py";
    SCOPED_TRACE(text);
    WriteWholeFile(path, text);
    const auto comparison = CompareCaptured(*ParseHazard(path, text), met.coverage);
    ASSERT_TRUE(comparison.ok()) << comparison.error().Render();
    EXPECT_EQ(comparison->differences, "");
    ++met.programs;
    met.calls += comparison->expected.size();
    for (const Observation& call : comparison->expected) met.exceptions += call.facts[0].first == "exception";
    const auto model = model::LoadModel(path);
    for (torch::jit::Function* function : model->AllFunctions()) CountOpcodes(*function, met.opcodes);
  }

  TemporaryFolder folder_;
};

TEST_F(RandomProgramTest, CaptureLeavesTheSameBehindAndMeetsEverything) {
  Met met;
  const int programs = Volume(150, 2000);
  for (int seed = 0; seed < programs && !HasFatalFailure(); ++seed) Meet(seed, met);
  std::cout << met.ToString();
  EXPECT_LT(met.exceptions * 4, met.calls) << "too many calls end early";
  std::set<std::string> missing = PlainOpcodes();
  for (const auto& [name, count] : met.opcodes) missing.erase(name);
  for (const capture::BreakDescription& kind : capture::AllBreaks()) {
    if (!met.coverage.breaks.contains(kind.code)) missing.emplace(kind.code);
  }
  // These take an option, or operators and classes that libtorch does not have: src/capture/captured_program_test.cc.
  for (const char* elsewhere : {"B09", "B12", "B13", "B16"}) missing.erase(elsewhere);
  EXPECT_THAT(missing, IsEmpty());
}

}  // namespace
}  // namespace culprit::tests
