// SPDX-License-Identifier: Apache-2.0
//
// Repros of every dtype and layout come back as they were written, here and in plain Python.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "repro/header/run_settings.h"
#include "repro/pack.h"
#include "repro/read_repro.h"
#include "repro/write_repro.h"
#include "tests/lib/python_outputs.h"
#include "tests/lib/random_repro.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

using Values = std::vector<c10::IValue>;

std::string Write(const std::string& path, const repro::Repro& repro) {
  const auto written = repro::WriteRepro(path, repro, {.stable_output = false});
  EXPECT_TRUE(written.ok()) << written.error().message;
  return written.ok() ? written->text : "";
}

repro::Repro Read(const std::string& path) {
  auto opened = repro::OpenRepro(path, ReadWholeFile(path));
  EXPECT_TRUE(opened.ok()) << opened.error().Render();
  auto loaded = repro::LoadRepro(*std::move(opened));
  EXPECT_TRUE(loaded.ok()) << loaded.error().Render();
  EXPECT_TRUE(loaded->random.empty());
  return std::move(loaded->repro);
}

Values OutputsOf(const repro::Repro& repro) {
  const repro::RunScope scope(repro.header.run);
  return graph::Interpreter(repro.graph).Run(repro.inputs);
}

void ExpectSameInputs(const Values& a, const Values& b, uint64_t seed) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (!a[i].isTensor() || a[i].toTensor().is_sparse()) continue;
    const at::Tensor x = a[i].toTensor(), y = b[i].toTensor();
    EXPECT_EQ(x.strides(), y.strides()) << "seed " << seed << ", input " << i;
    EXPECT_EQ(x.requires_grad(), y.requires_grad()) << "seed " << seed << ", input " << i;
    EXPECT_EQ(x.is_leaf(), y.is_leaf()) << "seed " << seed << ", input " << i;
    EXPECT_EQ(x.is_conj(), y.is_conj()) << "seed " << seed << ", input " << i;
    EXPECT_EQ(x.is_neg(), y.is_neg()) << "seed " << seed << ", input " << i;
    for (size_t k = 0; k < i; ++k) {
      if (!a[k].isTensor()) continue;
      const auto share = [](const c10::IValue& p, const c10::IValue& q) {
        const bool plain = p.toTensor().has_storage() && q.toTensor().has_storage();
        return plain && p.toTensor().storage().is_alias_of(q.toTensor().storage());
      };
      EXPECT_EQ(share(a[i], a[k]), share(b[i], b[k])) << "seed " << seed << ", inputs " << k << " and " << i;
    }
  }
}

TEST(RandomRepros, SurviveWritingAndReadingByteForByteWithTheSameOutputs) {
  const TemporaryFolder folder;
  for (uint64_t seed = 0; seed < static_cast<uint64_t>(Volume(/*sample=*/60, /*full=*/300)); ++seed) {
    const repro::Repro original = MakeRandomRepro(seed);
    const std::string first = folder / fmt::format("a{}/repro.py", seed),
                      second = folder / fmt::format("b{}/repro.py", seed);
    const std::string text = Write(first, original);
    const repro::Repro copy = Read(first);
    ExpectSameInputs(original.inputs, copy.inputs, seed);
    EXPECT_EQ(Write(second, copy), text) << "seed " << seed;
    const Values expected = OutputsOf(original), outputs = OutputsOf(copy);
    ASSERT_EQ(outputs.size(), expected.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_TRUE(SameBits(outputs[i], expected[i])) << "seed " << seed << ", output " << i << "\n" << text;
    }
  }
}

TEST(RandomRepros, TravelToAnotherProcessAsTheyAre) {
  for (uint64_t seed = 0; seed < static_cast<uint64_t>(Volume(/*sample=*/60, /*full=*/300)); ++seed) {
    const repro::Repro original = MakeRandomRepro(seed);
    const auto packed = repro::Pack(original);
    ASSERT_TRUE(packed.ok()) << packed.error().message;
    const auto copy = repro::Unpack(packed->text, packed->storages.size(),
                                    [&](size_t i) { return packed->storages[i].bytes; });
    ASSERT_TRUE(copy.ok()) << "seed " << seed << ": " << copy.error().Render();
    ExpectSameInputs(original.inputs, copy->inputs, seed);
    EXPECT_EQ(repro::HeaderToJson(copy->header), repro::HeaderToJson(original.header)) << "seed " << seed;
    const Values expected = OutputsOf(original), outputs = OutputsOf(*copy);
    ASSERT_EQ(outputs.size(), expected.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_TRUE(SameBits(outputs[i], expected[i])) << "seed " << seed << ", output " << i;
    }
  }
}

TEST(RandomRepros, RunInPlainPythonToTheSameOutputs) {
  const TemporaryFolder folder;
  std::vector<PythonRun> runs;
  std::vector<uint64_t> seeds;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const std::string path = folder / fmt::format("{}/repro.py", seed);
    Write(path, MakeRandomRepro(seed));
    runs.push_back({.repro = path});
  }
  const std::vector<PythonOutputs> theirs = RunInPython(runs);
  for (uint64_t seed = 0; seed < 30; ++seed) {
    ASSERT_TRUE(theirs[seed].ok()) << "seed " << seed << ": " << theirs[seed].error().message << "\n"
                                   << ReadWholeFile(runs[seed].repro);
    const Values ours = OutputsOf(Read(runs[seed].repro));
    ASSERT_EQ(theirs[seed]->size(), ours.size()) << "seed " << seed;
    for (size_t i = 0; i < ours.size(); ++i) {
      EXPECT_TRUE(SameBits(ours[i], (*theirs[seed])[i])) << "seed " << seed << ", output " << i;
    }
  }
}

}  // namespace
}  // namespace culprit::tests
