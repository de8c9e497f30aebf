// SPDX-License-Identifier: Apache-2.0
//
// What a hunt says of a failure: how wrong it is, which switch helps, and all of it in a page.
#include "tests/e2e/cli_hunt.h"
#include "tests/house/source_tree.h"

namespace culprit::tests {
namespace {

class CliHuntSummary : public CliHunt {
 protected:
  std::string Summary() const { return ReadWholeFile(latest() + "/summary.md"); }

  /// A page, with the program once.
  void ExpectAPage(const std::string& what) const {
    const std::string summary = Summary();
    EXPECT_LE(Lines(summary).size(), 80u) << what << "\n" << summary;
    // A difference may show the line again, with a blank in front.
    const size_t first = summary.find("\nclass Repro");
    ASSERT_NE(first, std::string::npos) << what;
    EXPECT_EQ(summary.find("\nclass Repro", first + 1), std::string::npos) << what << "\n" << summary;
  }
};

TEST_F(CliHuntSummary, EveryExampleIsAPageWithTheProgramOnce) {
  const std::vector<std::vector<std::string>> hunts = {
      {"hunt", "examples/02_real_miscompile/net.py", "--backend", "torchscript:stage=ofi"},
      {"hunt", "examples/03_hunt/net.py", "--backend", "torchscript:stage=ofi"},
      {"hunt", "examples/03_hunt/net.py", "--backend", "native", "--fault", "hardswish:wrong-index"},
      {"hunt", "examples/04_model/net.torchscript", "--inputs", "f32[1,3,16,16]", "--backend",
       "torchscript:stage=ofi"},
      {"hunt", net_, "--fault", "tanh:segfault"},
      {"minify", net_, "--fault", "tanh:accuracy", "--max-queries", "1"}};
  for (const std::vector<std::string>& hunt : hunts) {
    Hunt(hunt);
    ExpectAPage(hunt[1]);
  }
}

TEST_F(CliHuntSummary, TheSwitchThatMakesItPassIsNamed) {
  const ProgramRun run =
      Hunt({"hunt", "tests/fixtures/real_bugs/conv_avg_pool.py", "--backend", "torchscript:stage=ofi"});
  const std::string line = "passes with --backend torchscript:stage=ofi,off=";
  EXPECT_THAT(run.out, HasSubstr("\n" + line));
  EXPECT_THAT(Summary(), HasSubstr("\n- " + line));
  EXPECT_THAT(Summary(), HasSubstr("off=convert_to_mkldnn"));
  const json again = JsonOf(Hunt({"minify", repro(), "--json"}));
  EXPECT_THAT(again.at("switches").at("passes_with").dump(), HasSubstr("off=convert_to_mkldnn"));
  // What it says is so.
  EXPECT_EQ(Culprit({"run", repro(), "--backend", "torchscript:stage=ofi,off=convert_to_mkldnn"}).exit_code,
            0);
}

TEST_F(CliHuntSummary, WhereNoSwitchHelpsItSaysHowManyWereTried) {
  const ProgramRun run = Hunt({"hunt", net_, "--backend", "torchscript", "--fault", "tanh:accuracy"});
  EXPECT_THAT(run.out, testing::ContainsRegex("none of the [0-9]+ switches of the compiler makes it pass"));
  const ProgramRun without =
      Hunt({"hunt", net_, "--backend", "torchscript", "--fault", "tanh:accuracy", "--no-switches"});
  EXPECT_THAT(without.out, Not(HasSubstr("switches")));
}

TEST_F(CliHuntSummary, NanIsInTheHeadline) {
  const ProgramRun run = Hunt({"hunt", net_, "--fault", "tanh:nan", "--skip", "shapes"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(Summary(), StartsWith("# aten::tanh: 1 of 16 elements is NaN in outputs[0] (call 1)\n"));
}

// As #86556 did: 0.47 in one run and 4.6e16 in the next.
TEST_F(CliHuntSummary, ResultsOfMemoryThatNobodyWroteAreSaidToVary) {
  const ProgramRun run = Hunt(
      {"hunt", net_, "--backend", std::string(CULPRIT_PLUGINS) + "/libforgetful.so", "--skip", "shapes"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out,
              StartsWith("failure: compare: results that vary from run to run in outputs[0] (call 1)\n"));
  EXPECT_THAT(
      Summary(),
      StartsWith("# aten::tanh: compare: results that vary from run to run in outputs[0] (call 1)\n"));
}

TEST_F(CliHuntSummary, OutputsAreNamedByTheProgramThatIsMeant) {
  WriteWholeFile(net_, R"(class Repro(torch.nn.Module):
    def forward(self, x, flag):
        sin = torch.ops.aten.sin.default(x)
        cos = torch.ops.aten.cos.default(x)
        mul = torch.ops.aten.mul.Tensor(flag, 1)
        add = torch.ops.aten.add.Tensor(mul, flag)
        return (sin, cos, add)

def load_args(reader):
    buf0 = fill(reader.storage(None, 16), torch.tensor([1.0, 2.0, 3.0, 4.0]))
    reader.tensor(buf0, (4,), is_leaf=True)  # x
    buf1 = reader.storage(None, 4)
    reader.tensor(buf1, (4,), dtype=torch.bool, is_leaf=True)  # flag
load_args._version = 0
)");
  const ProgramRun run = Hunt({"hunt", net_, "--backend", "torchscript:stage=plain"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, StartsWith("failure: compare: wrong dtype in outputs[0] (call 1)\n"));
  const std::string original = "outputs[2] (add): Long in the reference, Bool in the result\n";
  EXPECT_THAT(run.out, HasSubstr("\nin the original program: " + original));
  EXPECT_THAT(Summary(), HasSubstr("\n- in the original program " + original));
  EXPECT_THAT(Summary(),
              testing::ContainsRegex("^# [^\n]*: compare: wrong dtype in outputs\\[0\\] \\(call 1\\)\n"));
}

TEST_F(CliHuntSummary, WithoutParametersNothingIsSaidAboutThem) {
  const ProgramRun run = Hunt({"hunt", net_, "--backend", "torchscript:stage=ofi"});
  EXPECT_THAT(run.err, Not(HasSubstr("frozen")));
}

}  // namespace
}  // namespace culprit::tests
