// SPDX-License-Identifier: Apache-2.0
//
// Files as PyTorch 2.1, 2.4, 2.7 and 2.10 wrote them after AOT, as they are and with other flags.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "repro/read_repro.h"
#include "tests/lib/fixtures.h"

namespace culprit::repro {
namespace {

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t begin = text.find(from);
  EXPECT_NE(begin, std::string::npos) << from;
  return text.replace(begin, from.size(), to);
}

bool HasSymbols(const ReadRepro& read) {
  return std::ranges::any_of(read.script.graph.placeholders(), [](const graph::Placeholder& placeholder) {
    return std::ranges::any_of(placeholder.symbols,
                               [](const std::string& symbol) { return !symbol.empty(); });
  });
}

/// "torch2_10" of "mobilenet_v2_torch2_10_annotated.py".
std::string VersionOf(const std::string& path) {
  const std::string rest = path.substr(path.find("torch2_"));
  return rest.substr(0, rest.find_first_of("_.", std::string("torch2_").size()));
}

TEST(TorchVersionsTest, EachNamesItsCompilerAndNothingElse) {
  std::set<std::string> versions;
  for (const std::string& path : tests::FixturesIn("joint")) {
    const std::string text = tests::ReadFixture(path);
    const base::Result<ReadRepro> read = OpenRepro(path, text);
    ASSERT_TRUE(read.ok()) << read.error().Render();
    EXPECT_EQ(read->header.backend, "inductor:graphs=below") << path;
    EXPECT_EQ(read->header.accuracy, std::nullopt) << path;
    EXPECT_EQ(HasSymbols(*read), text.find("tracing_mode='symbolic'") != std::string::npos) << path;
    for (const base::Diagnostic& warning : read->warnings)
      EXPECT_THAT(warning.message, testing::Not(testing::HasSubstr("configuration of Inductor"))) << path;
    versions.insert(VersionOf(path));
  }
  EXPECT_THAT(versions, testing::ElementsAre("torch2_1", "torch2_10", "torch2_4", "torch2_7"));
}

TEST(TorchVersionsTest, TheFlagsOfEachAreTaken) {
  for (const char* name : {"transformer_torch2_1", "transformer_torch2_4", "transformer_torch2_7_symbolic",
                           "mobilenet_v2_torch2_10_annotated"}) {
    const std::string path = fmt::format("tests/fixtures/joint/{}.py", name);
    std::string text = tests::ReadFixture(path);
    text = Replaced(text, "isolate_fails_code_str",
                    "torch._inductor.config.cpp.simdlen = 1\nisolate_fails_code_str");
    text = Replaced(text, "accuracy=False, command='run'", "accuracy=True, command='minify'");
    text = Replaced(text, "check_str=None", "check_str='out of range'");
    const base::Result<ReadRepro> read = OpenRepro(path, text);
    ASSERT_TRUE(read.ok()) << read.error().Render();
    EXPECT_EQ(read->header.backend, "inductor:graphs=below,cpp.simdlen=1") << name;
    EXPECT_EQ(read->header.accuracy, Accuracy::kStrict) << name;
    EXPECT_EQ(read->header.settings.at(kCheckTextSetting), "out of range") << name;
  }
}

}  // namespace
}  // namespace culprit::repro
