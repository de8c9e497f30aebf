// SPDX-License-Identifier: Apache-2.0
//
// Real miscompiles of libtorch, alone and in the middle of models, are minified to what is to blame.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/lib/splice.h"
#include "tests/lib/volume.h"
#include "tests/minify/hunting.h"

namespace culprit::tests {
namespace {

struct Bug {
  const char* name;
  const char* backend;
  /// No other operators may be left.
  const char* operators;
};

constexpr Bug kBugs[] = {
    {"conv_hardswish", "torchscript:stage=ofi", "convolution hardswish"},
    {"pytorch_86527", "torchscript:stage=ofi", "mul convolution clip floor"},
    {"pytorch_92563", "torchscript:stage=ofi", "convolution clamp"},
    {"pytorch_92740", "torchscript:stage=ofi", "convolution relu_"},
    {"pytorch_140101", "torchscript:stage=plain", "log log sub real"},
    {"pytorch_86597", "torchscript:stage=nnc", "cos frac"},
    {"bool_times_one", "torchscript:stage=plain", "mul add"},
};

constexpr const char* kModels[] = {"resnet18", "densenet121", "transformer12"};

constexpr Bug kNoBug = {"pytorch_86816", "torchscript:stage=nnc", ""};

std::multiset<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

repro::Header HeaderFor(const Bug& bug) {
  repro::Header header;
  header.backend = bug.backend;
  header.accuracy = repro::Accuracy::kStrict;
  return header;
}

minify::Program Spliced(const Bug& bug, const std::string& model) {
  return Splice(ReadProgram("models/" + model), ReadProgram(std::string("real_bugs/") + bug.name));
}

void ExpectMinified(const std::string& name, const minify::Program& program, const Bug& bug) {
  const Hunt hunt = HuntFor(program, HeaderFor(bug));
  std::cout << Summary(name, hunt) << '\n';
  EXPECT_NE(hunt.signature, "") << name << " does not fail";
  const std::multiset<std::string> left = Words(hunt.operators);
  const std::multiset<std::string> listed = Words(bug.operators);
  EXPECT_TRUE(std::ranges::includes(listed, left)) << name << ": " << hunt.operators << '\n' << hunt.log;
}

TEST(HuntModelsTest, BareBugsAreMinifiedToTheirPattern) {
  for (const Bug& bug : kBugs)
    ExpectMinified(bug.name, ReadProgram(std::string("real_bugs/") + bug.name), bug);
}

TEST(HuntModelsTest, BugsInsideModelsAreMinifiedToTheirPattern) {
  size_t number = 0;
  for (const char* model : kModels) {
    for (const Bug& bug : kBugs) {
      if (FullVolume() || number++ % 4 == 0)
        ExpectMinified(fmt::format("{} in {}", bug.name, model), Spliced(bug, model), bug);
    }
  }
}

TEST(HuntModelsTest, WhatIsOnlyNoiseIsNotAccused) {
  EXPECT_EQ(HuntFor(ReadProgram("real_bugs/pytorch_86816"), HeaderFor(kNoBug)).signature, "");
}

}  // namespace
}  // namespace culprit::tests
