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
#include "tests/question/fault_rows.h"
#include "tests/question/faulty_repro.h"
#include "tests/question/query_zygote.h"

namespace culprit::tests {
namespace {

using namespace std::chrono_literals;
using check::Finding;

const std::string kPluginBackend = CULPRIT_PLUGINS "/libpointwise.so";

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
  static std::string_view Expected(const FaultRow& row) {
    return GetParam().backend == kPluginBackend ? ExpectedWithoutGradients(row) : row.signature;
  }
};

INSTANTIATE_TEST_SUITE_P(Compilers, FaultMatrix, testing::ValuesIn(Compilers()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(FaultMatrixTable, HasEveryKindThatIsForAnyCompiler) {
  std::set<std::string_view> tested, all;
  for (const FaultRow& row : kFaultRows) tested.insert(row.fault.substr(0, row.fault.find(':')));
  for (const faults::FaultKind& kind : faults::AllFaultKinds())
    if (kind.moment != faults::FaultMoment::kPass) all.insert(kind.name);
  EXPECT_EQ(tested, all);
}

TEST_P(FaultMatrix, PassesWithoutAFault) {
  EXPECT_EQ(WithoutFrames(AskHere(With(""))), kPasses);
  EXPECT_EQ(WithoutFrames(AskIsolated(With(""))), kPasses);
}

TEST_P(FaultMatrix, PassesWithAFaultInAnotherOperator) {
  repro::Repro repro = With("");
  repro.header.faults = {"sigmoid:segfault"};
  EXPECT_EQ(WithoutFrames(AskHere(repro)), kPasses);
}

TEST_P(FaultMatrix, IsSignedInThisProcess) {
  for (const FaultRow& row : kFaultRows) {
    if (row.where == Where::kAnyProcess)
      EXPECT_EQ(WithoutFrames(AskHere(With(row.fault))), Expected(row)) << row.fault;
  }
}

TEST_P(FaultMatrix, IsSignedInAnotherProcess) {
  for (const FaultRow& row : kFaultRows) {
    if (!row.Hangs()) EXPECT_EQ(WithoutFrames(AskIsolated(With(row.fault))), Expected(row)) << row.fault;
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
    for (const FaultRow& row : kFaultRows) {
      if (!row.Hangs()) continue;
      const repro::Repro repro = FaultyRepro(compiler.backend, std::string(row.fault));
      all.push_back({fmt::format("{} {}", compiler.name, row.fault), row.signature,
                     std::async(std::launch::async, [repro] { return AskIsolated(repro, 3s); })});
    }
  }
  EXPECT_EQ(all.size(), 6u);
  for (Asked& asked : all) EXPECT_EQ(WithoutFrames(asked.finding.get()), asked.expected) << asked.what;
}

TEST_P(FaultMatrix, AStackOverflowIsToldFromOtherCrashes) {
  EXPECT_EQ(AskIsolated(With("stack-overflow")).failure->message, "stack overflow");
  EXPECT_EQ(AskIsolated(With("segfault")).failure->message, "");
}

TEST_P(FaultMatrix, OnlyLargeTensorsFailAboveALimit) {
  EXPECT_EQ(WithoutFrames(AskIsolated(With("above:1000", 1000))), kPasses);
  EXPECT_EQ(WithoutFrames(AskIsolated(With("above:1000", 100000))),
            "compare: wrong values in outputs[0] (call 1)");
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
