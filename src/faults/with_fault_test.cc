// SPDX-License-Identifier: Apache-2.0
#include "faults/with_fault.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "backends/eager/eager.h"
#include "tests/lib/graph_builder.h"

namespace culprit::faults {
namespace {

using backend::Values;

/// Frozen, with three calls, and called with a list that it clears.
class ExampleBackend : public backend::Backend {
 public:
  backend::Parameters parameters() const override { return backend::Parameters::kFrozen; }
  int calls() const override { return 3; }
  std::unique_ptr<backend::Compiled> Compile(graph::Graph /*graph*/, const Values& /*inputs*/) override {
    class ExampleCompiled : public backend::Compiled {
      Values Call(Values& inputs) override {
        Values outputs = {inputs.at(0).toTensor().tanh()};
        inputs.clear();
        return outputs;
      }
    };
    return std::make_unique<ExampleCompiled>();
  }
};

std::unique_ptr<backend::Backend> Example(std::string_view fault) {
  return *WithFault(std::make_unique<ExampleBackend>(), *ParseFault(fault));
}

std::unique_ptr<backend::Backend> Eager() {
  const backends::eager::Eager kind;
  return *kind.Open(*backend::Configuration::Make({"eager"}, kind.description()));
}

graph::Graph SinTanh() {
  tests::TestGraph g;
  const graph::ValueId sin = g.Call("aten::sin", {g.Placeholder("x")});
  g.Return({sin, g.Call("aten::tanh", {sin})});
  return g.graph();
}

Values CallOnce(backend::Backend& backend) {
  Values inputs = {at::ones({2})};
  return backend.Compile(SinTanh(), inputs)->Call(inputs);
}

std::string MessageOf(std::string_view fault) {
  try {
    CallOnce(**WithFault(Eager(), *ParseFault(fault)));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(WithFaultTest, SaysWhatTheBackendSaysOfItself) {
  EXPECT_EQ(Example("tanh:nan")->parameters(), backend::Parameters::kFrozen);
  EXPECT_EQ(Example("tanh:nan")->calls(), 3);
  EXPECT_EQ((*WithFault(Eager(), *ParseFault("tanh:nan")))->calls(), 1);
}

TEST(WithFaultTest, AFaultThatShowsLateAsksForAsManyCalls) {
  EXPECT_EQ((*WithFault(Eager(), *ParseFault("tanh:late")))->calls(), 2);
  EXPECT_EQ(Example("tanh:late")->calls(), 3);
}

TEST(WithFaultTest, GraphsThatTheFaultIsNotForAreLeftAlone) {
  for (const FaultKind& kind : AllFaultKinds()) {
    if (kind.moment == FaultMoment::kPass) continue;
    const std::string text = fmt::format("cos:{}{}", kind.name, kind.argument.empty() ? "" : ":1");
    const Values outputs = CallOnce(**WithFault(Eager(), *ParseFault(text)));
    const at::Tensor sin = at::ones({2}).sin();
    EXPECT_TRUE(outputs.at(0).toTensor().equal(sin)) << text;
    EXPECT_TRUE(outputs.at(1).toTensor().equal(sin.tanh())) << text;
  }
}

TEST(WithFaultTest, ErrorsAreThrownByTheCompilationOrByTheCall) {
  EXPECT_EQ(MessageOf("tanh:compile-error"), "injected fault: aten::tanh cannot be compiled");
  EXPECT_EQ(MessageOf("sin>tanh:runtime-error"), "injected fault: aten::tanh failed at call 1");
  const auto backend = *WithFault(Eager(), *ParseFault("tanh:runtime-error"));
  EXPECT_NO_THROW(backend->Compile(SinTanh(), {at::ones({2})}));
}

TEST(WithFaultTest, WhatIsThrownMayBeNoException) {
  const auto backend = *WithFault(Eager(), *ParseFault("tanh:nonstandard-throw"));
  EXPECT_THROW(CallOnce(*backend), int);
}

TEST(WithFaultTest, AFaultInAPassIsForTheCompilerThatHasIt) {
  EXPECT_EQ(
      WithFault(Eager(), *ParseFault("tanh:wrong-loop")).error().Render(),
      "fault 'tanh:wrong-loop': error: it is in pass lower of backend native, and this is another backend\n"
      "  help: use backend native, or another kind; to see all kinds, run: culprit faults");
}

TEST(WithFaultTest, FaultsCanBeStacked) {
  const auto backend = *WithFaults(Eager(), {*ParseFault("sin:shape"), *ParseFault("tanh:dtype")});
  const Values outputs = CallOnce(*backend);
  EXPECT_EQ(outputs.at(0).toTensor().sizes(), at::IntArrayRef({2, 1}));
  EXPECT_EQ(outputs.at(0).toTensor().scalar_type(), at::kFloat);
  EXPECT_EQ(outputs.at(1).toTensor().sizes(), at::IntArrayRef({2, 1}));
  EXPECT_EQ(outputs.at(1).toTensor().scalar_type(), at::kDouble);
}

TEST(WithFaultTest, InputsAreKnownThoughTheBackendClearsItsList) {
  tests::TestGraph g;
  g.Return({g.Call("aten::tanh", {g.Placeholder("x")})});
  const at::Tensor x = at::ones({2});
  Values inputs = {x};
  Example("tanh:writes-input")->Compile(g.graph(), inputs)->Call(inputs);
  EXPECT_FALSE(x.equal(at::ones({2})));
}

}  // namespace
}  // namespace culprit::faults
