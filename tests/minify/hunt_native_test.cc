// SPDX-License-Identifier: Apache-2.0
//
// Faults in passes of the native compiler, in models: minified to the guilty operator, and what it needs to
// show. What is left fails again, and with the guilty pass off it passes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "faults/fault.h"
#include "hunt/oracle/isolated_check.h"
#include "tests/lib/volume.h"
#include "tests/minify/hunting.h"
#include "tests/question/query_zygote.h"

namespace culprit::tests {
namespace {

struct Model {
  const char* name;
  /// An operator that becomes a loop, one that becomes several in one kernel, and one whose result lies as
  /// another does that is needed behind it; null if there is none.
  const char* pointwise;
  const char* reduction;
  const char* neighbour;
};

constexpr Model kModels[] = {
    {"resnet18", "relu", "mean", "relu"},
    {"transformer12", "gelu", "_softmax", "native_layer_norm"},
    {"vit_b_16", "gelu", "native_layer_norm", "native_layer_norm"},
    {"densenet121", "avg_pool2d", "mean", "relu"},
    {"mobilenet_v2", "hardtanh", "mean", nullptr},
};

const char* GuiltyIn(const Model& model, const faults::FaultKind& kind) {
  if (kind.name == "wrong-fusion") return model.reduction;
  return kind.name == "wrong-memory" ? model.neighbour : model.pointwise;
}

struct Case {
  const Model* model;
  const faults::FaultKind* kind;

  std::string guilty;

  std::string fault() const { return fmt::format("{}:{}", guilty, kind->name); }
};
void PrintTo(const Case& one, std::ostream* out) {
  *out << one.fault() << " in " << one.model->name;
}

/// Every kind in one model, or in all.
std::vector<Case> Cases() {
  std::vector<Case> cases;
  size_t number = 0;
  for (const faults::FaultKind& kind : faults::AllFaultKinds()) {
    if (kind.moment != faults::FaultMoment::kPass) continue;
    const size_t sample = number++ % 3;
    for (size_t i = 0; i < std::size(kModels); ++i) {
      const char* guilty = GuiltyIn(kModels[i], kind);
      if (guilty != nullptr && (FullVolume() || i == sample)) cases.push_back({&kModels[i], &kind, guilty});
    }
  }
  return cases;
}

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  std::string name = fmt::format("{}_in_{}", info.param.kind->name, info.param.model->name);
  std::ranges::replace(name, '-', '_');
  return name;
}

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

repro::Header HeaderFor(const std::string& backend, const std::string& fault) {
  repro::Header header;
  header.backend = backend;
  if (!fault.empty()) header.faults = {fault};
  header.accuracy = repro::Accuracy::kStrict;
  return header;
}

/// Empty if the program passes.
std::string SignatureOf(const minify::Program& program, const repro::Header& header) {
  check::IsolatedQuery query(QueryZygote(), {});
  const check::Finding finding = *query.Ask(hunt::ReproOf(program, header));
  EXPECT_EQ(finding.invalid, "");
  return finding.failure ? finding.failure->ToString() : "";
}

/// The memory of a value that is needed has to be made by something.
size_t MostOperators(const faults::FaultKind& kind) {
  return kind.name == "wrong-memory" ? 3 : 1;
}

class HuntNativeTest : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Faults, HuntNativeTest, testing::ValuesIn(Cases()), NameOf);

TEST_P(HuntNativeTest, EndsWithTheGuiltyOperator) {
  const Case& one = GetParam();
  const minify::Program program = ReadProgram(std::string("models/") + one.model->name);
  const repro::Header header = HeaderFor("native:cache=off", one.fault());
  const Hunt hunt = HuntFor(program, header);
  std::cout << Summary(one.fault(), hunt) << std::endl;
  EXPECT_THAT(Words(hunt.operators), testing::Contains(one.guilty)) << hunt.log;
  EXPECT_LE(Words(hunt.operators).size(), MostOperators(*one.kind)) << hunt.operators << '\n' << hunt.log;
  EXPECT_NE(SignatureOf(hunt.program, header), "");
  EXPECT_EQ(SignatureOf(hunt.program, HeaderFor("native:cache=off", "")), "");
  const std::string without = fmt::format("native:cache=off,off={}", one.kind->pass);
  EXPECT_EQ(SignatureOf(hunt.program, HeaderFor(without, one.fault())), "");
}

}  // namespace
}  // namespace culprit::tests
