// SPDX-License-Identifier: Apache-2.0
//
// Every kind of fault that any compiler can have, in one operator of a model, in two of which one feeds the
// other, and in two that are both needed: minified to exactly these.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "faults/fault.h"
#include "tests/lib/volume.h"
#include "tests/minify/hunting.h"

namespace culprit::tests {
namespace {

using namespace std::chrono_literals;

struct Model {
  const char* name;
  /// As users write it, each in front of a kind.
  const char* places[3];
};

constexpr Model kModels[] = {
    {"resnet18",
     {"max_pool2d_with_indices", "convolution>native_batch_norm", "max_pool2d_with_indices&mean"}},
    {"densenet121", {"avg_pool2d", "convolution>avg_pool2d", "max_pool2d_with_indices&mean"}},
    {"transformer12", {"gelu", "bmm>_softmax", "_softmax&gelu"}},
};

bool Hangs(const faults::FaultKind& kind) {
  return kind.name == "hang" || kind.name == "compile-hang";
}

std::string FaultAt(const std::string& place, const faults::FaultKind& kind) {
  std::string fault = fmt::format("{}:{}", place, kind.name);
  if (kind.name == "flaky") fault += ":2";
  if (kind.name == "above") fault += ":8";
  return fault;
}

/// "a>b" and "a&b" as "a b".
std::string OperatorsAt(std::string place) {
  std::ranges::replace_if(
      place, [](char c) { return c == '>' || c == '&'; }, ' ');
  return place;
}

/// The loss is a sum, and the sum of a softmax does not depend on its operand: that its gradient is wrong
/// shows behind another operator only.
std::string ExpectedOperators(const std::string& place, const faults::FaultKind& kind) {
  const bool needs_one_behind = place == "bmm>_softmax" && kind.name == "gradient";
  return OperatorsAt(place) + (needs_one_behind ? " bmm" : "");
}

struct Case {
  const char* model;
  std::string place;
  const faults::FaultKind* kind;
};
void PrintTo(const Case& one, std::ostream* out) {
  *out << FaultAt(one.place, *one.kind) << " in " << one.model;
}

/// A few, or all. A question that hangs takes as long as its limit.
std::vector<Case> Cases() {
  std::vector<Case> cases;
  size_t number = 0;
  for (const Model& model : kModels) {
    for (const char* place : model.places) {
      for (const faults::FaultKind& kind : faults::AllFaultKinds()) {
        if (kind.moment == faults::FaultMoment::kPass) continue;
        if (FullVolume() || (number++ % 41 == 0 && !Hangs(kind))) cases.push_back({model.name, place, &kind});
      }
    }
  }
  return cases;
}

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  std::string name = fmt::format("{}_{}_in_{}", info.param.kind->name, info.param.place, info.param.model);
  std::ranges::replace(name, '>', '_');
  std::ranges::replace(name, '&', '_');
  std::ranges::replace(name, '-', '_');
  return fmt::format("{}_{}", info.index, name);
}

class HuntFaultsTest : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Faults, HuntFaultsTest, testing::ValuesIn(Cases()), NameOf);

TEST_P(HuntFaultsTest, AreMinifiedToTheGuiltyOperators) {
  const auto& [model, place, kind] = GetParam();
  minify::Program program = ReadProgram(std::string("models/") + model);
  if (kind->name == "gradient") program.inputs[0].toTensor().requires_grad_();
  repro::Header header;
  header.faults = {FaultAt(place, *kind)};
  header.accuracy = repro::Accuracy::kStrict;
  header.calls = kind->calls;
  HuntLimits limits;
  if (Hangs(*kind)) limits.wall_time = 2s;
  // None of them fails once in millions of runs.
  if (kind->name == "flaky") limits.queries = 24;
  const Hunt hunt = HuntFor(program, header, limits);
  std::cout << Summary(header.faults[0], hunt) << std::endl;
  EXPECT_EQ(hunt.operators, ExpectedOperators(place, *kind)) << header.faults[0] << '\n' << hunt.log;
}

}  // namespace
}  // namespace culprit::tests
