// SPDX-License-Identifier: Apache-2.0
//
// Programs in which a compiler and eager differ and neither is wrong, or eager is (tests/fixtures/innocent):
// nobody is accused. That they differ is tested, too, since a program in which nothing differs shows nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <iostream>

#include "base/internal_error.h"
#include "base/seconds_since.h"
#include "base/text.h"
#include "check/query/query.h"
#include "check/verdict/sign.h"
#include "tests/lib/fixtures.h"
#include "tests/lib/volume.h"
#include "tests/verdicts/captured_graphs.h"

namespace culprit::tests {
namespace {

/// The first are the sample, and are asked with several seeds: NNC takes minutes for sums of a million
/// numbers.
constexpr const char* kBackends[] = {
    "native",
    "native:codegen=llvm-o3",
    "torchscript",
    "torchscript:stage=ofi",
    "native:math=exact",
    "native:parameters=frozen",
    "torchscript:stage=freeze",
    "torchscript:executor=simple",
    "torchscript:executor=legacy",
    "aot-eager",
    "torchscript:stage=nnc",
    "torchscript:graphs=aot,stage=nnc",
};
constexpr size_t kInSample = 10;

/// How a verdict was reached, the strongest reason of all graphs and outputs.
enum class Reason : uint8_t {
  /// The same bits.
  kEqual,
  /// Other bits, within PyTorch's tolerance of 1e-4.
  kClose,
  /// PyTorch's tolerance alone would have accused: float64 is needed.
  kFp64,
  /// PyTorch's rules would have accused.
  kBeyondPyTorch,
  kInvalid,
  kAccused
};
constexpr const char* kMarks[] = {"=", "~", "64", "C", "invalid", "ACCUSED"};

Reason ReasonOf(const compare::Output& output) {
  switch (output.rule) {
    case compare::Rule::kEqual:
      return Reason::kEqual;
    case compare::Rule::kAllClose:
      return Reason::kClose;
    case compare::Rule::kNoise:
    case compare::Rule::kTruth:
      return Reason::kBeyondPyTorch;
    case compare::Rule::kFp64:
    case compare::Rule::kNanRescue:
    case compare::Rule::kCosine:
    case compare::Rule::kIou:
    case compare::Rule::kIgnored:
      return Reason::kFp64;
  }
  CULPRIT_CHECK(false, "there is no rule {}", static_cast<int>(output.rule));
}

struct Answer {
  Reason reason = Reason::kEqual;
  /// Who was accused of what, or why there is no answer.
  std::string text = {};
};

/// If all results were compared for shared memory, as they once were.
bool SharesOtherwise(repro::Repro repro) {
  if (repro.header.compare.compare_aliasing) return false;
  repro.header.compare.compare_aliasing = true;
  const auto check = check::RunQuery(repro, nullptr);
  return check.ok() && check->status == check::CheckStatus::kDifferent;
}

Answer AskAboutGraph(const repro::Repro& graph, const std::string& backend) {
  const auto repro = ForBackend(graph, backend);
  if (!repro.ok()) return {Reason::kAccused, repro.error().Render()};
  const auto check = check::RunQuery(*repro, nullptr);
  if (!check.ok()) return {Reason::kAccused, check.error().Render()};
  const check::Finding finding = check::SignCheck(*check);
  if (!finding.invalid.empty()) return {Reason::kInvalid, finding.invalid};
  if (finding.failure)
    return {Reason::kAccused, graph.graph.name() + ": " + finding.failure->ToString() + " " + check->message};
  Answer answer;
  for (const compare::Output& output : check->verdict.outputs)
    answer.reason = std::max(answer.reason, ReasonOf(output));
  if (SharesOtherwise(*repro)) answer.reason = Reason::kBeyondPyTorch;
  return answer;
}

Answer Ask(const std::vector<repro::Repro>& graphs, const std::string& backend) {
  Answer answer;
  for (const repro::Repro& graph : graphs) {
    Answer one = AskAboutGraph(graph, backend);
    if (one.reason > answer.reason) answer = std::move(one);
  }
  return answer;
}

bool MayBeInvalid(const std::string& text) {
  return text.find("\n# verdict: passes or invalid\n") != std::string::npos;
}

/// What came of all programs.
struct Tally {
  size_t programs = 0;
  size_t questions = 0;
  size_t differing = 0;
  size_t accused_by_tolerance = 0;
  size_t accused_by_pytorch = 0;

  /// With the strongest reason why nobody is accused.
  void Count(Reason reason) {
    ++programs;
    differing += reason >= Reason::kClose;
    accused_by_tolerance += reason >= Reason::kFp64;
    accused_by_pytorch += reason >= Reason::kBeyondPyTorch;
  }
};

void Judge(const std::string& path, uint64_t seed, Tally& tally) {
  const std::string name = fmt::format("{} {}", std::filesystem::path(path).stem().string(), seed);
  const auto graphs = GraphsOf(path, seed);
  ASSERT_TRUE(graphs.ok()) << graphs.error().Render();
  const bool may_be_invalid = MayBeInvalid(ReadFixture(path));
  const auto begin = std::chrono::steady_clock::now();
  Reason strongest = Reason::kEqual;
  std::string row = fmt::format("{:<36}", name);
  for (size_t i = 0; i < (FullVolume() && seed == 0 ? std::size(kBackends) : kInSample); ++i) {
    const Answer answer = Ask(*graphs, kBackends[i]);
    ++tally.questions;
    if (answer.reason < Reason::kInvalid) strongest = std::max(strongest, answer.reason);
    row += fmt::format(" {:>3}", kMarks[static_cast<size_t>(answer.reason)]);
    EXPECT_NE(answer.reason, Reason::kAccused) << name << " with " << kBackends[i] << ": " << answer.text;
    if (!may_be_invalid)
      EXPECT_NE(answer.reason, Reason::kInvalid) << name << " with " << kBackends[i] << ": " << answer.text;
  }
  tally.Count(strongest);
  if (FullVolume()) std::cout << fmt::format("{} {:>5.1f} s\n", row, base::SecondsSince(begin)) << std::flush;
}

void JudgeAll(const std::vector<std::string>& paths, uint64_t seed) {
  Tally tally;
  for (const std::string& path : paths) Judge(path, seed, tally);
  std::cout << fmt::format(
      "{} programs, {} questions; programs that differ from eager in bits: {}, that PyTorch's tolerance "
      "alone "
      "would accuse: {}, that all of PyTorch's rules would accuse: {}\n",
      tally.programs, tally.questions, tally.differing, tally.accused_by_tolerance, tally.accused_by_pytorch);
  EXPECT_GE(tally.programs, 60u);
  EXPECT_GE(tally.differing, 80u);
  EXPECT_GE(tally.accused_by_tolerance, 45u);
  EXPECT_GE(tally.accused_by_pytorch, 15u);
}

TEST(InnocentTest, NobodyIsAccusedOfWhatRoundingAndChanceDo) {
  for (size_t i = 0; i < std::size(kBackends) && FullVolume(); ++i)
    std::cout << fmt::format("column {}: {}\n", i + 1, kBackends[i]);
  for (int seed = 0; seed < Volume(1, 6); ++seed) JudgeAll(FixturesIn("innocent"), seed);
}

}  // namespace
}  // namespace culprit::tests
