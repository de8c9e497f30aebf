// SPDX-License-Identifier: Apache-2.0
//
// Every kind of fault, in one operator of a model, in two of which one feeds the other, and in two that are
// both needed: minified to exactly these.
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
void PrintTo(const Model& model, std::ostream* out) {
  *out << model.name;
}

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

class HuntFaultsTest : public testing::TestWithParam<Model> {
 protected:
  static void ExpectMinified(const std::string& place, const faults::FaultKind& kind) {
    minify::Program program = ReadProgram(std::string("models/") + GetParam().name);
    if (kind.name == "gradient") program.inputs[0].toTensor().requires_grad_();
    repro::Header header;
    header.faults = {FaultAt(place, kind)};
    header.accuracy = repro::Accuracy::kStrict;
    header.calls = kind.calls;
    const Hunt hunt = HuntFor(program, header, Hangs(kind) ? 2s : 60s);
    std::cout << Summary(header.faults[0], hunt) << '\n';
    EXPECT_EQ(hunt.operators, OperatorsAt(place)) << header.faults[0] << '\n' << hunt.log;
  }
};

INSTANTIATE_TEST_SUITE_P(Models, HuntFaultsTest, testing::ValuesIn(kModels),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(HuntFaultsTest, AreMinifiedToTheGuiltyOperators) {
  size_t number = 0;
  for (const faults::FaultKind& kind : faults::AllFaultKinds()) {
    // Each question that hangs takes as long as its limit.
    if (Hangs(kind) && !FullVolume()) continue;
    for (const char* place : GetParam().places) {
      if (FullVolume() || number++ % 13 == 0) ExpectMinified(place, kind);
    }
  }
}

}  // namespace
}  // namespace culprit::tests
