// SPDX-License-Identifier: Apache-2.0
//
// The whole job on a TorchScript model: its graphs, the one that fails, the operators and lines to blame.
#include "tests/e2e/cli_hunt.h"

namespace culprit::tests {
namespace {

constexpr const char* kNet = "examples/04_model/net.torchscript";

class CliHuntModels : public CliHunt {
 protected:
  ProgramRun HuntNet(std::vector<std::string> more) const {
    more.insert(more.begin(), {"hunt", kNet, "--inputs", "f32[1,3,16,16]"});
    return Hunt(more);
  }
};

TEST_F(CliHuntModels, AnUntouchedNetworkEndsWithTwoOperatorsAndTheirLines) {
  const std::string conv =
      "examples/04_model/net.torchscript:9 in forward, module: stem, code: y = torch.conv2d(x, self.weight, "
      "self.bias, [2, 2], [1, 1])";
  const std::string pool =
      "examples/04_model/net.torchscript:10 in forward, module: stem, code: return torch.avg_pool2d(y, "
      "[3, 3], [2, 2], [0, 0], True)";
  const ProgramRun run = HuntNet({"--backend", "torchscript:stage=ofi", "--json"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const json report = JsonOf(run);
  EXPECT_EQ(GuiltyOf(report), (std::vector<std::string>{"aten::conv2d", "aten::avg_pool2d"}));
  EXPECT_EQ(report.at("guilty")[0].at("module"), "stem");
  EXPECT_EQ(report.at("guilty")[0].at("source"), conv);
  EXPECT_EQ(report.at("guilty")[1].at("source"), pool);
  EXPECT_EQ(report.at("verified"), true);
  EXPECT_EQ(report.at("before").at("operators"), 11);
  EXPECT_EQ(report.at("after").at("operators"), 2);
  const std::string script = ReadWholeFile(repro());
  EXPECT_THAT(script,
              HasSubstr("        # File: " + conv + "\n        conv2d = torch.ops.aten.conv2d.default("));
  EXPECT_THAT(script,
              HasSubstr("        # File: " + pool + "\n        avg_pool2d = torch.ops.aten.avg_pool2d"));
  const std::string summary = ReadWholeFile(latest() + "/summary.md");
  EXPECT_THAT(summary, HasSubstr("# aten::conv2d and aten::avg_pool2d: compare: wrong values"));
  EXPECT_THAT(summary, HasSubstr("- `conv2d` = `aten::conv2d`, " + conv + "\n"));
  EXPECT_THAT(summary, HasSubstr("- `avg_pool2d` = `aten::avg_pool2d`, " + pool + "\n"));
}

TEST_F(CliHuntModels, OfTwoModulesThatShareALineTheGuiltyOneIsNamed) {
  // The blocks are of one class; sizes tell them apart.
  WriteWholeFile(net_, R"(class Block(Module):
  training : bool
  def forward(self: __torch__.Block, x: Tensor) -> Tensor:
    return torch.tanh(torch.cat([x, x]))
class Body(Module):
  training : bool
  first : __torch__.Block
  second : __torch__.Block
  def forward(self: __torch__.Body, x: Tensor) -> Tensor:
    return (self.second).forward((self.first).forward(x))
class Net(Module):
  training : bool
  body : __torch__.Body
  def forward(self: __torch__.Net, x: Tensor) -> Tensor:
    return (self.body).forward(x)
)");
  const json report = JsonOf(Hunt({"hunt", net_, "--inputs", "f32[4]", "--fault", "tanh:above:8", "--json"}));
  ASSERT_EQ(report.at("guilty").size(), 1u) << report;
  EXPECT_EQ(report.at("guilty")[0].at("module"), "body.second");
}

TEST_F(CliHuntModels, TheGuiltyGraphIsFound) {
  const ProgramRun run = HuntNet({"--fault", "softmax:accuracy"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr("graph 1 of 2: net_0_captured\n"));
  EXPECT_THAT(run.err, HasSubstr("graph 2 of 2: net_1_captured\n"));
  EXPECT_THAT(run.out, StartsWith("passes: in 3 runs\nfailure: compare: wrong values"));
  EXPECT_THAT(run.out, HasSubstr("guilty operator:\n  softmax = aten::softmax   examples/04_model/"
                                 "net.torchscript:31 in forward, code: return torch.softmax("));
  EXPECT_EQ(Culprit({"verify", repro()}).exit_code, 0);
}

TEST_F(CliHuntModels, AWrongGradientEndsWithTheBackwardOperatorAndTheLineOfItsForward) {
  const ProgramRun run = HuntNet({"--train", "--fault", "hardswish_backward:accuracy", "--json"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const json report = JsonOf(run);
  EXPECT_EQ(GuiltyOf(report), (std::vector<std::string>{"aten::hardswish_backward"}));
  EXPECT_EQ(report.at("guilty")[0].at("source"),
            "examples/04_model/net.torchscript:18 in forward, module: second, code: return "
            "torch.add(torch.hardswish(y), x)");
  EXPECT_EQ(report.at("after").at("operators"), 1);
  EXPECT_THAT(run.err, HasSubstr("graph 1 of 6: net_0_forward\n"));
  EXPECT_THAT(run.err, HasSubstr("graph 2 of 6: net_0_backward\n"));
  EXPECT_THAT(run.err, Not(HasSubstr("graph 3 of 6")));
}

TEST_F(CliHuntModels, InTrainingForwardBackwardAndTheCapturedGraphAreChecked) {
  const ProgramRun run = HuntNet({"--train", "--backend", "aot-eager", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(JsonOf(run), json::parse(R"({"passes": true, "graphs": 6})"));
}

/// Two lines compute with a size of the input.
constexpr const char* kSized = R"(def forward(x: Tensor, n: int) -> Tensor:
    y = torch.sin(x)
    if x.size(0) > 2:
        y = torch.exp(y)
    z = y.view([x.size(0) * 2, -1]) + torch.ones([x.size(0) * 2, 1])
    return torch.tanh(z) * n
)";

TEST_F(CliHuntModels, AModelWhoseSizesAreMarkedIsHuntedInWithTheSizesOfTheText) {
  const std::string model = folder_ / "sized.py";
  WriteWholeFile(model, kSized);
  const std::vector<std::string> inputs = {"--inputs", "f32[?6,8]", "--inputs", "?3"};
  const auto hunt = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"hunt", model});
    words.insert(words.end(), inputs.begin(), inputs.end());
    return Hunt(words);
  };
  EXPECT_EQ(hunt({"--backend", "torchscript"}).exit_code, 0);
  EXPECT_EQ(hunt({"--backend", "aot-eager"}).exit_code, 0);
  for (const char* fault : {"tanh:accuracy", "view:runtime-error"}) {
    const ProgramRun run = hunt({"--fault", fault, "--json"});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    const json report = JsonOf(run);
    EXPECT_EQ(report.at("verified"), true) << fault;
    EXPECT_EQ(GuiltyOf(report).size(), 1) << fault;
    EXPECT_EQ(Culprit({"verify", repro()}).exit_code, 0) << fault;
    EXPECT_THAT(ReadWholeFile(latest() + "/original.py"),
                HasSubstr("    placeholder_symbols = {'x': ['s0', None]"))
        << fault;
  }
}

TEST_F(CliHuntModels, WhereNoGraphFailsThereIsOneAnswer) {
  const ProgramRun run = HuntNet({"--backend", "torchscript:stage=plain", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(JsonOf(run), json::parse(R"({"passes": true, "graphs": 2})"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
}

TEST_F(CliHuntModels, AModelWhoseProcessDiesIsAFinding) {
  WriteWholeFile(net_, "def f(x: Tensor) -> Tensor:\n    return " + std::string(300000, '(') + "x\n");
  const ProgramRun run = Hunt({"hunt", net_, "--inputs", "f32[2]", "--backend", "torchscript"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, StartsWith(net_ + ": error: its process died in loading the model: SIGSEGV"));
}

}  // namespace
}  // namespace culprit::tests
