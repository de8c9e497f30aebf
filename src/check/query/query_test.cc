// SPDX-License-Identifier: Apache-2.0
#include "check/query/query.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "check/verdict/sign.h"
#include "graph/run/interpreter.h"
#include "tests/lib/graph_builder.h"

namespace culprit::check {
namespace {

using backend::Values;
using graph::ValueId;
using testing::ElementsAre;

/// Computes what the graph says, plus an error; remembers what it saw.
struct Log {
  int calls = 0;
  std::vector<bool> inputs_require_grad;
  std::optional<repro::RunSettings> when_compiling;
  std::optional<repro::RunSettings> when_called;
  double error = 0;
  /// Returns copies instead of views.
  bool copies = false;
  std::string throws;
};

class LoggingCompiled : public backend::Compiled {
 public:
  LoggingCompiled(const graph::Graph& graph, Log& log) : interpreter_(graph), log_(log) {}
  Values Call(Values& inputs) override {
    ++log_.calls;
    log_.when_called = repro::CurrentRunSettings();
    log_.inputs_require_grad.clear();
    for (const c10::IValue& input : inputs)
      log_.inputs_require_grad.push_back(input.toTensor().requires_grad());
    if (!log_.throws.empty()) throw std::runtime_error(log_.throws);
    Values outputs = interpreter_.Run(inputs);
    if (log_.copies) outputs.at(0) = outputs.at(0).toTensor().clone();
    if (log_.error != 0) outputs.at(0) = outputs.at(0).toTensor().add(log_.error);
    return outputs;
  }

 private:
  graph::Interpreter interpreter_;
  Log& log_;
};

class LoggingBackend : public backend::Backend {
 public:
  explicit LoggingBackend(backend::Parameters parameters = backend::Parameters::kLifted, int calls = 1)
      : parameters_(parameters), calls_(calls) {}
  backend::Parameters parameters() const override { return parameters_; }
  int calls() const override { return calls_; }
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values&) override {
    log.when_compiling = repro::CurrentRunSettings();
    return std::make_unique<LoggingCompiled>(graph, log);
  }

  Log log;

 private:
  backend::Parameters parameters_;
  int calls_;
};

/// x * weight, both of which want gradients.
repro::Repro Scaling(repro::Accuracy accuracy = repro::Accuracy::kStrict) {
  tests::TestGraph g;
  const ValueId x = g.Placeholder("x");
  const ValueId weight = g.Placeholder("weight", graph::PlaceholderKind::kParameter);
  g.Return({g.Call("aten::mul.Tensor", {x, weight})});
  repro::Repro repro{g.graph(), {at::ones({3}).requires_grad_(true), at::ones({3}).requires_grad_(true)}};
  repro.header.accuracy = accuracy;
  return repro;
}

CheckStatus StatusOf(const repro::Repro& repro, LoggingBackend& backend) {
  return RunQuery(repro, backend).status;
}

TEST(QueryTest, WhatComputesTheSameIsTheSame) {
  LoggingBackend backend;
  EXPECT_EQ(StatusOf(Scaling(), backend), CheckStatus::kSame);
  EXPECT_EQ(backend.log.calls, 1);
}

TEST(QueryTest, AsManyCallsAsTheHeaderOrTheBackendWants) {
  LoggingBackend few, many(backend::Parameters::kLifted, 3);
  repro::Repro repro = Scaling();
  repro.header.calls = 2;
  RunQuery(repro, few);
  RunQuery(repro, many);
  EXPECT_EQ(few.log.calls, 2);
  EXPECT_EQ(many.log.calls, 3);
}

TEST(QueryTest, WrongNumbersCountOnlyWhereTheyAreJudged) {
  LoggingBackend backend;
  backend.log.error = 0.5;
  EXPECT_EQ(StatusOf(Scaling(repro::Accuracy::kStrict), backend), CheckStatus::kDifferent);
  EXPECT_EQ(StatusOf(Scaling(repro::Accuracy::kOn), backend), CheckStatus::kDifferent);
  EXPECT_EQ(StatusOf(Scaling(repro::Accuracy::kOff), backend), CheckStatus::kSame);
}

TEST(QueryTest, ExceptionsCountEverywhere) {
  LoggingBackend backend;
  backend.log.throws = "no";
  for (const repro::Accuracy accuracy :
       {repro::Accuracy::kOff, repro::Accuracy::kOn, repro::Accuracy::kStrict}) {
    const CheckResult result = RunQuery(Scaling(accuracy), backend);
    EXPECT_EQ(result.status, CheckStatus::kCandidateFailed);
    EXPECT_EQ(result.message, "the candidate failed: forward: no");
  }
}

TEST(QueryTest, WhatEagerCannotRunIsNoFailureOfTheBackend) {
  LoggingBackend backend;
  repro::Repro repro = Scaling();
  repro.inputs[1] = at::ones({2});
  for (const repro::Accuracy accuracy : {repro::Accuracy::kOff, repro::Accuracy::kStrict}) {
    repro.header.accuracy = accuracy;
    EXPECT_EQ(StatusOf(repro, backend), CheckStatus::kReferenceFailed);
  }
  EXPECT_EQ(backend.log.calls, 0);
}

TEST(QueryTest, TheToleranceOfTheHeaderDecides) {
  LoggingBackend backend;
  backend.log.error = 1e-3;
  repro::Repro repro = Scaling();
  EXPECT_EQ(StatusOf(repro, backend), CheckStatus::kDifferent);
  repro.header.compare.tolerance = 0.1;
  EXPECT_EQ(StatusOf(repro, backend), CheckStatus::kSame);
}

TEST(QueryTest, FrozenParametersNeedNoGradient) {
  LoggingBackend lifted, frozen(backend::Parameters::kFrozen);
  const repro::Repro repro = Scaling();
  EXPECT_EQ(StatusOf(repro, lifted), CheckStatus::kSame);
  EXPECT_EQ(StatusOf(repro, frozen), CheckStatus::kSame);
  EXPECT_THAT(lifted.log.inputs_require_grad, ElementsAre(true, true));
  EXPECT_THAT(frozen.log.inputs_require_grad, ElementsAre(true, false));
  EXPECT_TRUE(repro.inputs[1].toTensor().requires_grad()) << "the repro is left alone";
}

// A view of a frozen weight is a constant, which does not share memory with the weight.
TEST(QueryTest, ViewsOfFrozenParametersMayBeConstants) {
  tests::TestGraph g;
  const ValueId weight = g.Placeholder("weight", graph::PlaceholderKind::kParameter);
  g.Return({g.Call("aten::t", {weight})});
  repro::Repro repro{g.graph(), {at::ones({2, 3})}};
  repro.header.accuracy = repro::Accuracy::kStrict;
  LoggingBackend lifted, frozen(backend::Parameters::kFrozen);
  lifted.log.copies = frozen.log.copies = true;
  EXPECT_EQ(StatusOf(repro, lifted), CheckStatus::kDifferent);
  EXPECT_EQ(StatusOf(repro, frozen), CheckStatus::kSame);
}

TEST(QueryTest, TheRecordedModesHoldForTheCompilerToo) {
  repro::Repro repro = Scaling(repro::Accuracy::kOff);
  repro.header.run = {.grad = false, .autocast = repro::Autocast{}, .default_dtype = at::kDouble, .seed = 5};
  LoggingBackend backend;
  const repro::RunSettings before = repro::CurrentRunSettings();
  RunQuery(repro, backend);
  for (const repro::RunSettings& seen : {*backend.log.when_compiling, *backend.log.when_called}) {
    EXPECT_FALSE(seen.grad);
    EXPECT_EQ(seen.autocast, repro::Autocast{});
    EXPECT_EQ(seen.default_dtype, at::kDouble);
  }
  EXPECT_EQ(repro::CurrentRunSettings(), before) << "nothing stays behind";
}

TEST(QueryTest, NothingOfTheCallersLeaksIn) {
  LoggingBackend alone, disturbed;
  RunQuery(Scaling(), alone);
  const at::NoGradGuard no_grad;
  at::autocast::set_autocast_enabled(at::kCPU, true);
  EXPECT_EQ(StatusOf(Scaling(), disturbed), CheckStatus::kSame);
  at::autocast::set_autocast_enabled(at::kCPU, false);
  EXPECT_EQ(disturbed.log.when_compiling, alone.log.when_compiling);
  EXPECT_EQ(disturbed.log.when_called, alone.log.when_called);
  EXPECT_TRUE(disturbed.log.when_called->grad);
}

TEST(QueryTest, ItCanBeAskedInInferenceMode) {
  LoggingBackend backend;
  const c10::InferenceMode inference;
  EXPECT_EQ(StatusOf(Scaling(), backend), CheckStatus::kSame);
  EXPECT_FALSE(backend.log.when_called->inference);
}

TEST(QueryTest, ThePhasesAreAnnounced) {
  LoggingBackend backend(backend::Parameters::kLifted, 2);
  std::vector<std::string> phases;
  const auto announce = [&](std::string_view phase) { phases.emplace_back(phase); };
  RunQuery(Scaling(), backend, announce);
  EXPECT_THAT(phases, ElementsAre("eager", "the second run of eager", "compile", "call 1",
                                  "backward of call 1", "call 2", "backward of call 2", "compare"));
  phases.clear();
  backend.log.error = 0.5;
  RunQuery(Scaling(), backend, announce);
  phases.erase(phases.begin(), std::ranges::find(phases, "compare"));
  EXPECT_THAT(phases, ElementsAre("compare", "the same call again", "the run in float64", "compare",
                                  "the run on moved inputs"));
  phases.clear();
  RunQuery(Scaling(repro::Accuracy::kOff), backend, announce);
  EXPECT_THAT(phases, ElementsAre("eager", "compile", "call 1", "backward of call 1", "call 2",
                                  "backward of call 2"));
}

TEST(RunQueryTest, AFaultInAPassThatHasNothingToSpoilIsAWarning) {
  tests::TestGraph g;
  g.Return({g.Call("aten::relu", {g.Placeholder("x")})});
  repro::Repro repro{g.graph(), {at::ones({3})}};
  repro.header.backend = "native:cache=off";
  repro.header.accuracy = repro::Accuracy::kStrict;
  repro.header.faults = {"relu:wrong-fusion", "relu:wrong-loop", "tanh:wrong-loop"};
  const base::Result<CheckResult> check = RunQuery(repro, nullptr);
  EXPECT_EQ(check->status, CheckStatus::kDifferent);
  EXPECT_THAT(
      check->warnings,
      ElementsAre("the fault 'relu:wrong-fusion' had nothing to spoil: pass fuse did nothing to relu"));
}

TEST(OpenBackendTest, PutsEveryFaultAroundTheBackend) {
  repro::Repro repro = Scaling();
  repro.header.faults = {"mul:accuracy", "mul:late"};
  const auto backend = *OpenBackend(repro.header);
  EXPECT_EQ(backend->calls(), 2);
  EXPECT_EQ(SignCheck(RunQuery(repro, *backend)).failure->ToString(),
            "compare: wrong values in outputs[0] (call 1)");
}

TEST(OpenBackendTest, RefusesWhatDoesNotExist) {
  EXPECT_FALSE(OpenBackend({.backend = "torchscrip"}).ok());
  EXPECT_FALSE(OpenBackend({.backend = "torchscript:stage=none"}).ok());
  EXPECT_FALSE(OpenBackend({.faults = {"mul:nothing"}}).ok());
}

TEST(CheckOptionsOfTest, StrictAndNotAreJudgedByTheirRules) {
  repro::Header header{.only_forward = true, .calls = 4};
  header.compare = {.tolerance = 0.5, .cosine_similarity = true};
  header.accuracy = repro::Accuracy::kOn;
  const CheckOptions accuracy = CheckOptionsOf(header);
  EXPECT_EQ(accuracy.fp64, Fp64::kRequired);
  EXPECT_TRUE(accuracy.compare.ignore_non_float);
  header.accuracy = repro::Accuracy::kStrict;
  const CheckOptions strict = CheckOptionsOf(header);
  EXPECT_EQ(strict.fp64, Fp64::kWherePossible);
  EXPECT_FALSE(strict.compare.ignore_non_float);
  for (const CheckOptions& options : {accuracy, strict}) {
    EXPECT_TRUE(options.compare.equal_nan);
    EXPECT_TRUE(options.compare.cosine_similarity);
    EXPECT_EQ(options.compare.tolerance, 0.5);
    EXPECT_TRUE(options.run.only_forward);
    EXPECT_EQ(options.run.calls, 4);
  }
}

TEST(CheckOptionsOfTest, ALimitOfMemoryGivesHalfOfItToFloat64) {
  repro::Header header{.accuracy = repro::Accuracy::kStrict};
  EXPECT_EQ(CheckOptionsOf(header).fp64_memory_bytes, int64_t{1} << 30);
  header.settings[repro::kMemoryLimitSetting] = "16384";
  EXPECT_EQ(CheckOptionsOf(header).fp64_memory_bytes, int64_t{8} << 30);
}

TEST(CheckOptionsOfTest, IntegersCanBeIgnoredWithoutAMustForFloat64) {
  repro::Header header{.accuracy = repro::Accuracy::kStrict};
  header.compare.ignore_non_float = true;
  const CheckOptions options = CheckOptionsOf(header);
  EXPECT_TRUE(options.compare.ignore_non_float);
  EXPECT_EQ(options.fp64, Fp64::kWherePossible);
}

}  // namespace
}  // namespace culprit::check
