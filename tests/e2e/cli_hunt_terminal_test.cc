// SPDX-License-Identifier: Apache-2.0
//
// What somebody sees who waits for a hunt.
#include "tests/e2e/cli_hunt.h"
#include "tests/house/source_tree.h"
#include "tests/lib/run_on_terminal.h"

namespace culprit::tests {
namespace {

constexpr std::string_view kWipe = "\r\033[K";

class CliHuntTerminal : public CliHunt {
 protected:
  std::string Watch(std::vector<std::string> words) const {
    words.insert(words.begin(), {CULPRIT_PROGRAM, "hunt"});
    words.insert(words.end(), {"--out", folder_ / "runs"});
    return RunOnTerminal(words);
  }
};

TEST_F(CliHuntTerminal, TheFirstRunsAreShownAtOnceWithTheTime) {
  WriteWholeFile(net_, ChainScript(2));
  const std::string text = Watch({net_, "--fault", "tanh:hang", "--timeout", "2", "--only", "drop"});
  EXPECT_THAT(text, StartsWith("opening " + net_ + ", 0 s"));
  // Each more than once, since time goes by.
  for (const char* status : {"run 1 of 3 (at most 2 s each), ", "run 3 of 3 (at most 2 s each), ",
                             "asking about the whole program, ", "2 of 2 operators, 1 question, drop, "}) {
    const size_t first = text.find(status);
    ASSERT_NE(first, std::string::npos) << status << text;
    EXPECT_NE(text.find(status, first + 1), std::string::npos) << status << text;
  }
  EXPECT_THAT(text, HasSubstr("verifying it in fresh processes, "));
}

TEST_F(CliHuntTerminal, ALimitThatMayGrowIsNamedAsOne) {
  WriteWholeFile(net_, ChainScript(2));
  EXPECT_THAT(Watch({net_, "--backend", "eager"}),
              HasSubstr("run 1 of 3 (at most 60 s each, or 15 times eager), "));
}

TEST_F(CliHuntTerminal, AStatusIsWipedBeforeAnythingElseIsPrinted) {
  const std::string text = Watch({net_, "--fault", "tanh:accuracy"});
  EXPECT_THAT(text, HasSubstr(std::string(kWipe) + "failure: compare: wrong values")) << text;
  const std::string last = text.substr(text.rfind(kWipe) + kWipe.size());
  EXPECT_THAT(last, testing::EndsWith("repro.py\r\n")) << "no status is left";
  for (std::string_view line : Lines(text)) {
    if (const size_t wipe = line.rfind(kWipe); wipe != std::string_view::npos)
      line.remove_prefix(wipe + kWipe.size());
    // Paths and commands cannot be broken. A line ends with a carriage return, too.
    if (line.find(folder_.path()) == std::string_view::npos) EXPECT_LE(line.size(), 80u + 1) << line;
  }
}

}  // namespace
}  // namespace culprit::tests
