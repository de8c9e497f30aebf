// SPDX-License-Identifier: Apache-2.0
//
// Errors that are little larger than what rounding does: a hunt for them is short, and says so.
#include <fmt/format.h>

#include "tests/e2e/cli_hunt.h"

namespace culprit::tests {
namespace {

/// Rounds to the last place of `large`.
std::string Noisy(const char* large) {
  return fmt::format(R"(class Repro(torch.nn.Module):
    def forward(self, x):
        add = torch.ops.aten.add.Tensor(x, {0})
        sub = torch.ops.aten.sub.Tensor(add, {0})
        return (sub,)

def load_args(reader):
    buf0 = reader.storage(None, 4096)
    reader.tensor(buf0, (32, 32), is_leaf=True)  # x
load_args._version = 0
)",
                     large);
}

class CliHuntMarginal : public CliHunt {
 protected:
  /// The fault is wrong by a tenth.
  ProgramRun HuntIn(const std::string& program, const std::vector<std::string>& more = {}) const {
    WriteWholeFile(folder_ / "noisy.py", program);
    std::vector<std::string> words = {"hunt", folder_ / "noisy.py", "--fault", "sub:accuracy"};
    words.insert(words.end(), more.begin(), more.end());
    return Hunt(words);
  }
};

constexpr const char* kNote =
    "note: the error is not far beyond the noise of this program: the search ends after 60 s\n"
    "  help: to give it more time, add: --max-time 600\n";

TEST_F(CliHuntMarginal, TheSearchIsBoundedAndThatIsSaid) {
  const ProgramRun run = HuntIn(Noisy("100000.0"));
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("failure: compare: wrong values in outputs[0]"));
  EXPECT_THAT(run.err, HasSubstr(kNote));
}

TEST_F(CliHuntMarginal, WhoSaysHowLongIsTakenAtTheirWord) {
  EXPECT_THAT(HuntIn(Noisy("100000.0"), {"--max-time", "30"}).err, Not(HasSubstr("beyond the noise")));
}

/// Native's gelu differs from libtorch's in the last place; tanh of the sum is what a fault is put into.
constexpr const char* kRounded = R"(class Repro(torch.nn.Module):
    def forward(self, x):
        gelu = torch.ops.aten.gelu.default(x)
        softmax = torch.ops.aten._softmax.default(gelu, 1, False)
        tanh = torch.ops.aten.tanh.default(softmax)
        return (tanh,)

def load_args(reader):
    buf0 = reader.storage(None, 65536)
    reader.tensor(buf0, (64, 256), is_leaf=True)  # x
load_args._version = 0
)";

TEST_F(CliHuntMarginal, ATighterToleranceAccusesNoRounding) {
  WriteWholeFile(folder_ / "rounded.py", kRounded);
  const std::vector<std::string> words = {"hunt",   folder_ / "rounded.py", "--backend",
                                          "native", "--tolerance",          "1e-12"};
  const ProgramRun run = Culprit(
      {"run", folder_ / "rounded.py", "--backend", "native", "--tolerance", "1e-12", "--accuracy", "--json"});
  EXPECT_THAT(run.out, HasSubstr("\"rule\": \"fp64\"")) << "no element is beyond the tolerance";
  const ProgramRun rounding = Hunt(words);
  EXPECT_EQ(rounding.exit_code, 0) << rounding.out << rounding.err;
  std::vector<std::string> faulty = words;
  faulty.insert(faulty.end(), {"--fault", "tanh:accuracy"});
  const ProgramRun wrong = Hunt(faulty);
  EXPECT_EQ(wrong.exit_code, 1) << wrong.err;
  EXPECT_THAT(wrong.out, HasSubstr("aten::tanh"));
}

TEST_F(CliHuntMarginal, AClearErrorIsSearchedForToTheEnd) {
  const ProgramRun run = HuntIn(Noisy("1000.0"));
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.err, Not(HasSubstr("beyond the noise")));
}

}  // namespace
}  // namespace culprit::tests
