// SPDX-License-Identifier: Apache-2.0
//
// Eighty columns hold every line of what people read. Longer may be only what cannot be broken: a path, or a
// command that somebody may copy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/utf8.h"
#include "tests/e2e/culprit_program.h"
#include "tests/house/source_tree.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

constexpr const char* kModel = "examples/04_model/net.torchscript";
constexpr const char* kImage = "f32[1,3,16,16]";

bool CanBeBroken(std::string_view line) {
  const size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos) return false;
  line.remove_prefix(first);
  const auto begins = [&](std::string_view command) { return line.starts_with(command); };
  // Lines of a program stay lines.
  const bool is_program = line.find(" = torch.ops.") != std::string_view::npos;
  return line.find(' ') != std::string_view::npos && !is_program && !begins("culprit ") && !begins("cmake ");
}

std::vector<std::string> TooWide(const std::string& text) {
  std::vector<std::string> wide;
  for (const std::string_view line : Lines(text)) {
    if (base::CountColumns(line) > 80 && CanBeBroken(line)) wide.emplace_back(line);
  }
  return wide;
}

class CliWidth : public testing::Test {
 protected:
  /// Gives what it printed.
  std::string ExpectNarrow(std::vector<std::string> words) const {
    words.insert(words.begin(), CULPRIT_PROGRAM);
    const ProgramRun run = RunProgram(words, {{"COLUMNS", std::nullopt}});
    EXPECT_THAT(TooWide(run.out), testing::IsEmpty()) << testing::PrintToString(words);
    EXPECT_THAT(TooWide(run.err), testing::IsEmpty()) << testing::PrintToString(words);
    return run.out + run.err;
  }

  TemporaryFolder folder_;
};

TEST_F(CliWidth, Lists) {
  for (const char* command : {"backends", "faults", "strategies", "config", "--version"})
    ExpectNarrow({command});
  for (const char* backend : {"native", "torchscript", "aot-eager"}) ExpectNarrow({"backends", backend});
  for (const char* setting : {"repro_level", "dynamic_sizes"}) ExpectNarrow({"config", setting});
}

TEST_F(CliWidth, ManualPages) {
  for (const char* command : {"hunt", "explain", "run", "minify", "verify", "query", "convert", "graph",
                              "backends", "faults", "strategies", "config"})
    ExpectNarrow({command, "--help"});
}

TEST_F(CliWidth, Runs) {
  const std::string net = "examples/01_first_graph/net.py";
  ExpectNarrow({"graph", net, "--stats"});
  ExpectNarrow({"run", net});
  ExpectNarrow({"run", net, "--fp64"});
  ExpectNarrow({"run", net, "--accuracy"});
  ExpectNarrow({"run", "examples/03_hunt/net.py", "--fault", "hardswish:accuracy"});
  ExpectNarrow({"run", "examples/03_hunt/net.py", "--fault", "hardswish:segfault"});
  ExpectNarrow({"run", "examples/03_hunt/net.py", "--fault", "hardswish:flaky:2", "--times", "5"});
  ExpectNarrow({"run", "examples/03_hunt/net.py", "--backend", "torchscript:stage=ofi"});
}

TEST_F(CliWidth, Questions) {
  const std::string repro = folder_ / "repro.py";
  ExpectNarrow({"run", "examples/03_hunt/net.py", "--fault", "hardswish:runtime-error", "--record", repro});
  ExpectNarrow({"query", repro});
  ExpectNarrow({"query", repro, "--fault", "hardswish:segfault"});
  ExpectNarrow({"verify", repro});
  ExpectNarrow({"convert", repro, "--to", "cpp", "--output", folder_ / "cpp"});
  ExpectNarrow({"convert", repro, "--to", "python", "--output", folder_ / "python"});
}

TEST_F(CliWidth, Models) {
  ExpectNarrow({"explain", kModel, "--inputs", kImage, "--guards"});
  ExpectNarrow({"explain", kModel, "--inputs", kImage, "--joint", "--graphs", folder_ / "graphs"});
  ExpectNarrow({"explain", kModel, "--inputs", "f32[?8,3,16,16]"});
  ExpectNarrow({"run", kModel, "--inputs", kImage, "--fault", "softmax:accuracy"});
}

TEST_F(CliWidth, Hunts) {
  EXPECT_THAT(
      ExpectNarrow(
          {"hunt", kModel, "--inputs", kImage, "--fault", "conv2d:accuracy", "--out", folder_ / "runs"}),
      testing::HasSubstr("guilty operator:\n"
                         "  conv2d = aten::conv2d\n"
                         "    examples/04_model/net.torchscript:9 in forward, module: stem,\n"
                         "      code: y = torch.conv2d(x, self.weight, self.bias, [2, 2], [1, 1])\n"));
  ExpectNarrow({"hunt", "examples/03_hunt/net.py", "--fault", "hardswish:flaky:2", "--only",
                "instrument,drop", "--out", folder_ / "runs"});
}

TEST_F(CliWidth, Errors) {
  const std::string broken = folder_ / "broken.py";
  std::string arguments = "x";
  for (int i = 0; i < 100; ++i) arguments += ", x";
  WriteWholeFile(broken, "class Repro(torch.nn.Module):\n    def forward(self, x):\n        y = nonsense(" +
                             arguments + ")\n        return (y,)\n");
  ExpectNarrow({"graph", broken});
  ExpectNarrow({"graph", kModel});
  ExpectNarrow({"hunt", "examples/01_first_graph/net.py"});
  ExpectNarrow({"run", "examples/01_first_graph/net.py", "--backend", "torchscrip"});
  ExpectNarrow({"run", "examples/01_first_graph/net.py", "--fault", "tahn:accuracy"});
  ExpectNarrow({"explain", kModel});
  ExpectNarrow({"explain", "examples/01_first_graph/net.py", "--inputs", kImage});
  ExpectNarrow({"hunt", kModel, "--inputs", kImage, "--inputs"});
}

TEST_F(CliWidth, TheEnvironmentMaySayOtherwise) {
  const auto widest = [](const char* columns) {
    const std::string text = RunProgram({CULPRIT_PROGRAM, "config"}, {{"COLUMNS", columns}}).out;
    size_t most = 0;
    for (const std::string_view line : Lines(text)) most = std::max(most, base::CountColumns(line));
    return most;
  };
  EXPECT_LE(widest("60"), 60u);
  EXPECT_GT(widest("0"), 100u);
}

TEST(WidthCheckTest, OnlyWhatCannotBeBrokenMayBeLonger) {
  const std::string word(81, 'x');
  EXPECT_THAT(TooWide("a " + word + "\n  " + word + "\n"), testing::ElementsAre("a " + word));
  EXPECT_THAT(TooWide("    culprit run " + word), testing::IsEmpty());
  EXPECT_THAT(TooWide(std::string(80, 'x') + "\n" + std::string(70, 'x') + " yyyyyyyyy"), testing::IsEmpty());
}

}  // namespace
}  // namespace culprit::tests
