// SPDX-License-Identifier: Apache-2.0
//
// Real miscompiles of libtorch, alone and in the middle of models, are minified to what is to blame.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

#include "tests/lib/splice.h"
#include "tests/lib/volume.h"
#include "tests/minify/hunting.h"

namespace culprit::tests {
namespace {

struct Bug {
  const char* name;
  const char* backend;
  /// The pattern: no more operators may be left than it has.
  const char* operators;
  /// How the signature begins.
  const char* symptom;
};

constexpr Bug kBugs[] = {
    {"conv_avg_pool", "torchscript:stage=ofi", "convolution avg_pool2d", "compare: wrong values"},
    {"conv_scaled_add", "torchscript:stage=ofi", "convolution sigmoid add", "compare: wrong values"},
    {"pytorch_92563", "torchscript:stage=ofi", "convolution clamp", "compile: exception"},
    {"pytorch_92740", "torchscript:stage=ofi", "convolution relu_", "call 1: exception"},
    {"pytorch_140101", "torchscript:stage=plain", "log log sub real", "compare: wrong gradient"},
    {"pytorch_86597", "torchscript:stage=nnc", "cos frac", "compare: wrong values"},
    {"bool_times_one", "torchscript:stage=plain", "mul add", "compare: wrong dtype"},
};

constexpr const char* kModels[] = {"resnet18", "densenet121", "transformer12"};

constexpr Bug kNoBug = {"pytorch_86816", "torchscript:stage=nnc", "", ""};

/// In the very middle of the transformer NNC makes other groups, in which #86597 does not show.
double ShareOf(const std::string& model) {
  return model == "transformer12" ? 0.55 : 0.5;
}

size_t CountWords(const std::string& text) {
  std::istringstream stream(text);
  return std::distance(std::istream_iterator<std::string>(stream), {});
}

repro::Header HeaderFor(const Bug& bug) {
  repro::Header header;
  header.backend = bug.backend;
  header.accuracy = repro::Accuracy::kStrict;
  return header;
}

void ExpectMinified(const std::string& name, const minify::Program& program, const Bug& bug) {
  const Hunt hunt = HuntFor(program, HeaderFor(bug));
  std::cout << Summary(name, hunt) << std::endl;
  EXPECT_THAT(hunt.signature, testing::StartsWith(bug.symptom)) << name;
  EXPECT_LE(CountWords(hunt.operators), CountWords(bug.operators)) << name << ": " << hunt.operators << '\n'
                                                                   << hunt.log;
}

struct Case {
  const Bug* bug;
  /// Empty for the bug alone.
  std::string model;
};
void PrintTo(const Case& one, std::ostream* out) {
  *out << one.bug->name << " in " << one.model;
}

/// All bugs alone; in models every twentieth, or all.
std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const Bug& bug : kBugs) cases.push_back({&bug, ""});
  size_t number = 0;
  for (const char* model : kModels) {
    for (const Bug& bug : kBugs) {
      if (number++ % 20 == 0 || FullVolume()) cases.push_back({&bug, model});
    }
  }
  return cases;
}

class HuntModelsTest : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Bugs, HuntModelsTest, testing::ValuesIn(Cases()), [](const auto& info) {
  return std::string(info.param.bug->name) + (info.param.model.empty() ? "" : "_in_" + info.param.model);
});

TEST_P(HuntModelsTest, EndsWithThePattern) {
  const auto& [bug, model] = GetParam();
  minify::Program program = ReadProgram(std::string("real_bugs/") + bug->name);
  if (!model.empty()) program = Splice(ReadProgram("models/" + model), program, ShareOf(model));
  ExpectMinified(model.empty() ? bug->name : fmt::format("{} in {}", bug->name, model), program, *bug);
}

TEST(HuntNoiseTest, IsNotAccused) {
  EXPECT_EQ(HuntFor(ReadProgram("real_bugs/pytorch_86816"), HeaderFor(kNoBug)).signature, "");
}

}  // namespace
}  // namespace culprit::tests
