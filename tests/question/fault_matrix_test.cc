// SPDX-License-Identifier: Apache-2.0
//
// Every kind of fault that any compiler can have, in three compilers: each is signed as what it is, in this
// process where it can be, and in a child always. Without the fault each compiler passes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <set>

#include "check/query/query.h"
#include "check/query/query_task.h"
#include "check/question/question.h"
#include "faults/fault.h"
#include "tests/question/faulty_repro.h"
#include "tests/question/query_zygote.h"

namespace culprit::tests {
namespace {

using namespace std::chrono_literals;
using check::Finding;

constexpr std::string_view kPasses = "passes";

enum class Where { kAnyProcess, kOnlyIsolated };

struct Row {
  std::string_view fault;
  /// As the signature is printed, without frames.
  std::string_view signature;
  Where where = Where::kAnyProcess;
};

constexpr Row kRows[] = {
    {"compile-error", "compile: exception std::runtime_error: injected fault: aten::tanh cannot be compiled"},
    {"runtime-error", "call 1: exception std::runtime_error: injected fault: aten::tanh failed at call N"},
    {"nonstandard-throw", "call 1: exception int: something that is no std::exception was thrown"},
    {"accuracy", "compare: wrong values in outputs[0] (call 1)"},
    {"nan", "compare: NaN in outputs[0] (call 1)"},
    {"gradient", "compare: wrong gradient in gradients.inputs[0] (call 1)"},
    {"shape", "compare: wrong shape in outputs[0] (call 1)"},
    {"dtype", "compare: wrong dtype in outputs[0] (call 1)"},
    {"writes-input", "compare: mutated input in inputs[0] (call 1)"},
    {"segfault", "call 1: signal SIGSEGV", Where::kOnlyIsolated},
    {"abort", "call 1: signal SIGABRT", Where::kOnlyIsolated},
    {"stack-overflow", "call 1: signal SIGSEGV", Where::kOnlyIsolated},
    {"hang", "call 1: time limit exceeded", Where::kOnlyIsolated},
    {"compile-segfault", "compile: signal SIGSEGV", Where::kOnlyIsolated},
    {"compile-hang", "compile: time limit exceeded", Where::kOnlyIsolated},
    {"memory", "call 1: memory limit exceeded", Where::kOnlyIsolated},
    {"exit0", "call 1: exit with code 0", Where::kOnlyIsolated},
    {"exit7", "call 1: exit with code 7", Where::kOnlyIsolated},
    {"late", "compare: wrong values in outputs[0] (call 2)"},
    {"flaky:1", "compare: wrong values in outputs[0] (call 1)"},
    {"above:63", "compare: wrong values in outputs[0] (call 1)"},
    {"above:64", kPasses},
};

bool Hangs(const Row& row) {
  return row.signature.ends_with("time limit exceeded");
}

std::string Shown(const Finding& finding) {
  if (!finding.invalid.empty()) return "invalid: " + finding.invalid;
  if (!finding.failure) return std::string(kPasses);
  backend::FailureSignature signature = *finding.failure;
  signature.frames.clear();
  return signature.ToString();
}

Finding AskHere(const repro::Repro& repro) {
  const auto backend = *check::OpenBackend(repro.header);
  return check::SignCheck(check::RunQuery(repro, *backend));
}

Finding AskIsolated(const repro::Repro& repro, std::chrono::nanoseconds wall_time = 30s) {
  check::IsolatedQuery query(QueryZygote(), {.wall_time = wall_time, .memory_bytes = uint64_t{256} << 20});
  return *query.Ask(repro);
}

struct Compiler {
  const char* name;
  std::string backend;
  /// What makes half of all queries fail: a query of torchscript has three calls.
  const char* flaky;
};
void PrintTo(const Compiler& compiler, std::ostream* out) {
  *out << compiler.backend;
}

std::vector<Compiler> Compilers() {
  return {{"eager", "eager", "flaky:2"},
          {"torchscript", "torchscript:stage=plain", "flaky:5"},
          {"plugin", kPluginBackend, "flaky:2"}};
}

class FaultMatrix : public testing::TestWithParam<Compiler> {
 protected:
  static repro::Repro With(std::string_view fault, int64_t numel = 64) {
    return FaultyRepro(GetParam().backend, std::string(fault), numel);
  }
  /// What has no gradients cannot have wrong ones.
  static std::string_view Expected(const Row& row) {
    const bool is_plugin = GetParam().backend == kPluginBackend;
    return is_plugin && row.fault == "gradient" ? kPasses : row.signature;
  }
};

INSTANTIATE_TEST_SUITE_P(Compilers, FaultMatrix, testing::ValuesIn(Compilers()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(FaultMatrixTable, HasEveryKindThatIsForAnyCompiler) {
  std::set<std::string_view> tested, all;
  for (const Row& row : kRows) tested.insert(row.fault.substr(0, row.fault.find(':')));
  for (const faults::FaultKind& kind : faults::AllFaultKinds())
    if (kind.moment != faults::FaultMoment::kPass) all.insert(kind.name);
  EXPECT_EQ(tested, all);
}

TEST_P(FaultMatrix, PassesWithoutAFault) {
  EXPECT_EQ(Shown(AskHere(With(""))), kPasses);
  EXPECT_EQ(Shown(AskIsolated(With(""))), kPasses);
}

TEST_P(FaultMatrix, PassesWithAFaultInAnotherOperator) {
  repro::Repro repro = With("");
  repro.header.faults = {"sigmoid:segfault"};
  EXPECT_EQ(Shown(AskHere(repro)), kPasses);
}

TEST_P(FaultMatrix, IsSignedInThisProcess) {
  for (const Row& row : kRows) {
    if (row.where == Where::kAnyProcess)
      EXPECT_EQ(Shown(AskHere(With(row.fault))), Expected(row)) << row.fault;
  }
}

TEST_P(FaultMatrix, IsSignedInAnotherProcess) {
  for (const Row& row : kRows) {
    if (!Hangs(row)) EXPECT_EQ(Shown(AskIsolated(With(row.fault))), Expected(row)) << row.fault;
  }
}

/// All at once, since each takes as long as its limit.
TEST(FaultMatrixHangs, AreEnded) {
  struct Asked {
    std::string what;
    std::string_view expected;
    std::future<Finding> finding;
  };
  std::vector<Asked> all;
  for (const Compiler& compiler : Compilers()) {
    for (const Row& row : kRows) {
      if (!Hangs(row)) continue;
      const repro::Repro repro = FaultyRepro(compiler.backend, std::string(row.fault));
      all.push_back({fmt::format("{} {}", compiler.name, row.fault), row.signature,
                     std::async(std::launch::async, [repro] { return AskIsolated(repro, 3s); })});
    }
  }
  EXPECT_EQ(all.size(), 6u);
  for (Asked& asked : all) EXPECT_EQ(Shown(asked.finding.get()), asked.expected) << asked.what;
}

TEST_P(FaultMatrix, AStackOverflowIsToldFromOtherCrashes) {
  EXPECT_EQ(AskIsolated(With("stack-overflow")).failure->message, "stack overflow");
  EXPECT_EQ(AskIsolated(With("segfault")).failure->message, "");
}

TEST_P(FaultMatrix, OnlyLargeTensorsFailAboveALimit) {
  EXPECT_EQ(Shown(AskIsolated(With("above:1000", 1000))), kPasses);
  EXPECT_EQ(Shown(AskIsolated(With("above:1000", 100000))), "compare: wrong values in outputs[0] (call 1)");
}

/// All fail, or none does, once in some millions of runs of this test.
const check::CharacterizeOptions kManyQueries{.queries = 24, .queries_if_flaky = 24};

void ExpectFlaky(const check::Character& character) {
  ASSERT_TRUE(character.is_flaky()) << character.failures << " of " << character.queries;
  const check::Expectation& expected = *character.expectation;
  EXPECT_EQ(expected.signature.kind, backend::FailureKind::kNonDeterministic);
  EXPECT_EQ(expected.signature.phase, backend::FailurePhase::kCompare);
  EXPECT_EQ(expected.signature.guilty_output, "outputs[0]");
  EXPECT_EQ(expected.repeats, check::RepeatsFor(static_cast<double>(character.failures) / character.queries));
}

TEST_P(FaultMatrix, AFlakyFaultIsNonDeterministicInThisProcess) {
  ExpectFlaky(
      *check::Characterize([](const repro::Repro& repro) -> base::Result<Finding> { return AskHere(repro); },
                           With(GetParam().flaky), kManyQueries));
}

TEST_P(FaultMatrix, AFlakyFaultIsNonDeterministicInOthers) {
  check::IsolatedQuery query(QueryZygote(), {});
  const check::AskOnce ask = [&](const repro::Repro& repro) { return query.Ask(repro); };
  const check::Character character = *check::Characterize(ask, With(GetParam().flaky), kManyQueries);
  ExpectFlaky(character);
  EXPECT_EQ(check::AskRepeatedly(ask, With(""), *character.expectation)->verdict.answer,
            backend::Answer::kPasses);
}

}  // namespace
}  // namespace culprit::tests
