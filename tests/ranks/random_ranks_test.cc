// SPDX-License-Identifier: Apache-2.0
//
// Random programs, called on each rank with sizes of its own. Where one rank captures, all do, so that they
// compile as often; what they compute is what libtorch's interpreter computes, unless they hear that they
// differ.
#include <culprit/errors.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <random>
#include <regex>

#include "backends/table.h"
#include "capture/captured_program.h"
#include "tests/capture/hazard.h"
#include "tests/capture/random_program.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"
#include "tests/ranks/rank_function.h"
#include "tests/ranks/rank_processes.h"

namespace culprit::tests {
namespace {

/// All tensors of a call are of n rows and columns; they get up to 3 more.
std::vector<std::string> WithMoreRows(std::vector<std::string> call, size_t more) {
  static const std::regex sizes(R"((f32|f64)\[(\d+)(,\d+)?\])");
  for (std::string& argument : call) {
    std::string text;
    std::string rest = argument;
    for (std::smatch found; std::regex_search(rest, found, sizes); rest = found.suffix()) {
      const size_t n = std::stoul(found[2]) + more;
      text += fmt::format("{}{}[{}]", found.prefix().str(), found[1].str(),
                          found[3].matched ? fmt::format("{0},{0}", n) : std::to_string(n));
    }
    argument = text + rest;
  }
  return call;
}

Hazard ForRank(Hazard program, uint64_t seed, int rank) {
  std::mt19937_64 dice(seed * 100 + rank);
  for (std::vector<std::string>& call : program.calls) call = WithMoreRows(std::move(call), dice() % 4);
  return program;
}

/// What one rank has to tell of a program.
class RankRun {
 public:
  explicit RankRun(capture::Options options) : options_(std::move(options)) {
    const std::shared_ptr<backend::Backend> eager = *backends::Open(*backend::ParseSpec("eager"), {});
    options_.compile = [eager](const capture::Segment& segment, const backend::Values& inputs) {
      return std::shared_ptr<backend::Compiled>(eager->Compile(segment.graph, inputs));
    };
  }

  /// "5 graphs, right".
  std::string Of(const Hazard& program) {
    const auto expected = RunHazard(program, PlainInterpreter);
    const auto actual = RunHazard(program, [&](const model::Entry& entry) { return Make(entry); });
    if (!expected.ok() || !actual.ok()) return "no program";
    std::string differences;
    for (size_t call = 0; call < actual->size(); ++call)
      differences += Differences((*expected)[call], (*actual)[call]);
    return fmt::format("{} graphs, {}", program_->segments().size(),
                       differ_ ? "they differ" : (differences.empty() ? "right" : differences));
  }

 private:
  Callable Make(const model::Entry& entry) {
    program_ = std::make_shared<capture::CapturedProgram>(*entry.function, options_);
    return [this](std::vector<c10::IValue> arguments) {
      try {
        return program_->Call(std::move(arguments));
      } catch (const RanksDiffer&) {
        differ_ = true;
        throw;
      }
    };
  }

  capture::Options options_;
  std::shared_ptr<capture::CapturedProgram> program_;
  bool differ_ = false;
};

TEST(RandomRanksTest, ProgramsAreCompiledAsOftenOnAllRanksAndGiveWhatTheyGive) {
  const TemporaryFolder folder;
  const int wanted = Volume(12, 200);
  int right = 0;
  int seed = 0;
  for (; right < wanted && seed < 5 * wanted && !HasFailure(); ++seed) {
    const std::string path = folder / fmt::format("program{}.py", seed);
    const std::string text = MakeRandomProgram(seed);
    SCOPED_TRACE(fmt::format("program {}\n{}", seed, text));
    WriteWholeFile(path, text);
    const Hazard program = *ParseHazard(path, text);
    const int size = seed % 3 == 0 ? 4 : 2;
    const RankFunctionOptions options = {.port = FreePort(), .timeout = 1.5, .together = true};
    const std::vector<std::string> heard = RunRanks(size, [&](int rank) {
      return RankRun(AgreeingOptions(rank, size, options)).Of(ForRank(program, seed, rank));
    });
    EXPECT_THAT(heard, testing::Each(heard[0]));
    EXPECT_THAT(heard[0], testing::MatchesRegex("[0-9]+ graphs, (right|they differ)"));
    right += heard[0].ends_with("right");
  }
  std::cout << fmt::format("{} programs, {} whose ranks agree\n", seed, right);
  EXPECT_EQ(right, wanted);
}

}  // namespace
}  // namespace culprit::tests
