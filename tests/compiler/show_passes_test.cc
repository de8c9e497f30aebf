// SPDX-License-Identifier: Apache-2.0
//
// What the native compiler shows of its work: the files that the debug folder has for a graph.
#include <ATen/ops/randn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/insight.h"
#include "backends/native/native.h"
#include "tests/lib/compile_short.h"

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

using Files = std::map<std::string, std::string>;

constexpr const char* kTwoKernels =
    "x, w\na = relu.default(x)\nm = mm.default(a, w)\nb = sigmoid.default(m)\nreturn (b,)";

Files FilesOf(const std::string& text, std::vector<backend::SwitchOff> off = {},
              compiler::pipeline::Options options = WithoutCache()) {
  Files files;
  const backend::InsightScope scope([&](const std::string& name, const std::string& content) {
    EXPECT_TRUE(files.emplace(name, content).second) << name << " is written twice";
  });
  const auto native = backends::native::OpenPipeline(compiler::pipeline::DefaultPipeline(),
                                                     std::move(options), std::move(off));
  native->Compile(ShortGraph(text), {at::randn({8, 16}), at::randn({16, 4})});
  return files;
}

std::vector<std::string> NamesOf(const Files& files) {
  std::vector<std::string> names;
  for (const auto& [name, content] : files) names.push_back(name);
  return names;
}

TEST(ShowPassesTest, EveryPassIsAFileAndEveryKernelTwo) {
  EXPECT_THAT(NamesOf(FilesOf(kTwoKernels)),
              ElementsAre("00_before.txt", "01_decompose.txt", "02_fold_constants.txt",
                          "03_merge_equal_calls.txt", "04_lower.txt", "05_split_reductions.txt",
                          "06_inline.txt", "07_fuse.txt", "08_arrange.txt", "09_plan_memory.txt",
                          "10_codegen.txt", "kernel_0.ll", "kernel_0.s", "kernel_1.ll", "kernel_1.s"));
}

TEST(ShowPassesTest, AFileBeginsWithThePassAndItsTime) {
  Files files = FilesOf(kTwoKernels);
  EXPECT_THAT(files.extract("00_before.txt").mapped(), HasSubstr("torch.ops.aten.mm.default(a, w)"));
  for (const auto& [name, content] : files) {
    if (!name.ends_with(".txt")) continue;
    const std::string pass = name.substr(3, name.size() - 7);
    EXPECT_THAT(content.substr(0, content.find('\n')), MatchesRegex("# " + pass + ", [0-9]+\\.[0-9]+ ms"));
    EXPECT_GT(std::count(content.begin(), content.end(), '\n'), 1) << name;
  }
}

TEST(ShowPassesTest, CodeGenerationTakesItsTime) {
  const std::string content = FilesOf(kTwoKernels).at("10_codegen.txt");
  EXPECT_GT(std::stod(content.substr(content.find(',') + 1)), 0.1);
}

TEST(ShowPassesTest, OfEachKernelItIsSaidWhereItsCodeIsFrom) {
  const auto lines = [](std::vector<backend::SwitchOff> off, compiler::pipeline::Options options) {
    const std::string content = FilesOf(kTwoKernels, std::move(off), std::move(options)).at("10_codegen.txt");
    return content.substr(content.find('\n') + 1);
  };
  EXPECT_EQ(lines({}, WithoutCache()), "kernel 0: generated\nkernel 1: generated\n");
  compiler::pipeline::Options in_memory;
  lines({}, in_memory);
  EXPECT_EQ(lines({}, in_memory), "kernel 0: from memory\nkernel 1: from memory\n");
  EXPECT_EQ(lines({{"codegen", 1}}, WithoutCache()), "kernel 0: interpreted\nkernel 1: generated\n");
}

TEST(ShowPassesTest, AKernelThatIsInterpretedHasNoCodeToShow) {
  const Files files = FilesOf(kTwoKernels, {{"codegen", 1}});
  EXPECT_THAT(NamesOf(files), Not(testing::Contains(StartsWith("kernel_0"))));
  EXPECT_THAT(NamesOf(files), IsSupersetOf({"kernel_1.ll", "kernel_1.s"}));
}

TEST(ShowPassesTest, CodeIsLlvmsLanguageAndAssembly) {
  const Files files = FilesOf(kTwoKernels);
  EXPECT_THAT(files.at("kernel_0.ll"), testing::AllOf(StartsWith("; a"), HasSubstr("define ")));
  EXPECT_THAT(files.at("kernel_0.s"), testing::AllOf(StartsWith("# a"), HasSubstr("ret")));
}

TEST(ShowPassesTest, CodeBeginsWithAllLinesOfTheModelThatItCameFrom) {
  const Files files = FilesOf(
      "x, w\n# File: net.py:3 in forward\na = mul.Tensor(x, 2.0)\n# File: net.py:4 in forward\n"
      "b = _softmax.default(a, 1, False)\nreturn (b,)");
  EXPECT_THAT(files.at("kernel_0.ll"),
              StartsWith("; a: net.py:3 in forward\n; b.max: net.py:4 in forward\n"));
}

TEST(ShowPassesTest, AGraphThatRunsAsItIsSaysWhy) {
  const Files files = FilesOf("x, w\na = relu_.default(x)\nreturn (a,)");
  EXPECT_EQ(files.at("runs_as_it_is.txt"), "it writes into its tensors\n");
  EXPECT_FALSE(files.contains("04_lower.txt"));
}

}  // namespace
}  // namespace culprit::tests
