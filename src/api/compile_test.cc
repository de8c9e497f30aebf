// SPDX-License-Identifier: Apache-2.0
#include "culprit/compile.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/resolver.h>

#include <stdexcept>
#include <thread>

#include "culprit/config.h"
#include "tests/lib/temporary_folder.h"

namespace culprit {
namespace {

using testing::HasSubstr;

constexpr const char* kNet = R"(
def forward(self, x, scale: float = 2.0):
    y = torch.linear(x, self.weight) * scale
    if self.training:
        self.calls.add_(1)
    return torch.relu(y)
def twice(self, x):
    return self.forward(self.forward(x))
def sign(self, x):
    if bool(x.sum() > 0):
        y = x + 1
    else:
        y = x - 1
    return y * 2
)";

torch::jit::Module Net() {
  torch::jit::Module module("Net");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("weight", at::full({3, 3}, 0.5), /*is_buffer=*/false);
  module.register_buffer("calls", at::zeros({}));
  module.define(kNet);
  return module;
}

at::Tensor Call(const CompiledModule& module, const at::Tensor& x) {
  return module.forward({x}).toTensor();
}

std::string MessageOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing is thrown";
}

TEST(CompileTest, AModuleComputesWhatItComputed) {
  torch::jit::Module module = Net();
  const CompiledModule compiled = Compile(module);
  const at::Tensor x = at::ones({2, 3});
  EXPECT_TRUE(Call(compiled, x).equal(module.forward({x}).toTensor()));
  EXPECT_TRUE(compiled({x}).toTensor().equal(module.forward({x}).toTensor()));
  EXPECT_EQ(compiled.get_method("forward").counters().graphs, 1u);
}

TEST(CompileTest, MethodsAreCompiledToo) {
  torch::jit::Module module = Net();
  const CompiledModule compiled = Compile(module);
  const at::Tensor x = at::ones({2, 3});
  const at::Tensor expected = module.get_method("twice")({x}).toTensor();
  EXPECT_TRUE(compiled.run_method("twice", x).toTensor().equal(expected));
  EXPECT_TRUE(compiled.get_method("twice")({x}).toTensor().equal(expected));
  EXPECT_EQ(compiled.get_method("twice").counters().inlined_calls, 2u);
  EXPECT_EQ(compiled.get_method("twice").schema().name(), "twice");
}

TEST(CompileTest, KeywordsAndDefaultsAreFilledIn) {
  const CompiledModule compiled = Compile(Net());
  const at::Tensor x = at::ones({1, 3});
  EXPECT_TRUE(compiled.forward({x}).toTensor().equal(at::full({1, 3}, 3.0)));
  EXPECT_TRUE(compiled.forward({x, 4.0}).toTensor().equal(at::full({1, 3}, 6.0)));
  EXPECT_TRUE(compiled.forward({x}, {{"scale", 6.0}}).toTensor().equal(at::full({1, 3}, 9.0)));
  EXPECT_THAT(MessageOf([&] { compiled.forward({x, 4.0, 5.0}); }), HasSubstr("forward"));
  EXPECT_THAT(MessageOf([&] { compiled.forward({x}, {{"scales", 6.0}}); }), HasSubstr("scales"));
  EXPECT_THAT(MessageOf([&] { compiled.get_method("froward"); }), HasSubstr("froward"));
}

TEST(CompileTest, BuffersAndTheTrainingFlagAreThoseOfTheModule) {
  torch::jit::Module module = Net();
  module.eval();
  CompiledModule compiled = Compile(module);
  Call(compiled, at::ones({2, 3}));
  EXPECT_EQ(module.attr("calls").toTensor().item<float>(), 0);
  compiled.train();
  EXPECT_TRUE(module.is_training());
  Call(compiled, at::ones({2, 3}));
  Call(compiled, at::ones({2, 3}));
  EXPECT_EQ(module.attr("calls").toTensor().item<float>(), 2);
  EXPECT_EQ(compiled.get_method("forward").counters().recaptures, 1u);
}

TEST(CompileTest, ABackendThatDoesNotExistIsRefusedAtOnce) {
  const auto message = [](const std::string& backend) {
    return MessageOf([&] { Compile(Net(), {.backend = backend}); });
  };
  EXPECT_THROW(Compile(Net(), {.backend = "torchscrip"}), std::invalid_argument);
  EXPECT_THAT(message("torchscrip"), HasSubstr("'torchscrip'"));
  EXPECT_THAT(message("torchscrip"), HasSubstr("did you mean 'torchscript'?"));
  EXPECT_THAT(message("torchscript:stage=of"),
              HasSubstr("is one of plain, freeze, ofi, nnc, legacy-fuser, not 'of'"));
  EXPECT_THAT(message("torchscript:stag=ofi"), HasSubstr("did you mean 'stage'?"));
}

TEST(CompileTest, EveryGraphHasADebugFolderIfThatIsSet) {
  const tests::TemporaryFolder directory;
  const config::Patch patch{{"debug", "on"}, {"debug_directory", directory.path()}};
  const CompiledModule compiled = Compile(Net(), {.backend = "aot-eager"});
  Call(compiled, at::ones({1, 3}));
  Call(compiled, at::ones({2, 3}));
  EXPECT_EQ(tests::NamesIn(directory.path()).size(), 3u) << "two graphs, and the link to the latest";
  EXPECT_THAT(tests::ReadWholeFile(directory / "latest/captured.py"),
              HasSubstr("placeholder_kinds = {'self_weight': 'parameter', 'self_calls': 'buffer'}"));
  EXPECT_THAT(tests::ReadWholeFile(directory / "latest/guards.txt"),
              HasSubstr("\n  and self.training is True\n"));
}

TEST(CompileTest, FrozenParametersMayBeWritten) {
  for (const char* backend :
       {"torchscript:stage=ofi", "torchscript:stage=ofi,graphs=aot", "native:parameters=frozen"}) {
    SCOPED_TRACE(backend);
    torch::jit::Module module = Net();
    module.eval();
    std::vector<std::string> log;
    const CompiledModule compiled =
        Compile(module, {.backend = backend, .log = [&](const std::string& text) { log.push_back(text); }});
    const at::NoGradGuard no_grad;
    const at::Tensor x = at::ones({1, 3});
    EXPECT_TRUE(Call(compiled, x).equal(at::full({1, 3}, 3.0)));
    EXPECT_TRUE(Call(compiled, x).equal(at::full({1, 3}, 3.0)));
    EXPECT_TRUE(log.empty());
    module.attr("weight").toTensor().fill_(1);
    EXPECT_TRUE(Call(compiled, x).equal(at::full({1, 3}, 6.0)));
    EXPECT_THAT(log, testing::ElementsAre(HasSubstr("captured again: self.weight is ")));
  }
}

TEST(CompileTest, WhatIsTrainedIsNotFrozen) {
  torch::jit::Module module = Net();
  const at::Tensor weight = module.attr("weight").toTensor().requires_grad_();
  std::vector<std::string> log;
  const CompiledModule compiled = Compile(
      module,
      {.backend = "native:parameters=frozen", .log = [&](const std::string& text) { log.push_back(text); }});
  for (int step = 0; step < 3; ++step) {
    const at::Tensor x = at::rand({2, 3});
    const at::Tensor expected = torch::autograd::grad({module.forward({x}).toTensor().sum()}, {weight})[0];
    EXPECT_TRUE(torch::autograd::grad({Call(compiled, x).sum()}, {weight})[0].allclose(expected));
    const at::NoGradGuard no_grad;
    weight.sub_(expected, 0.01);
  }
  EXPECT_EQ(compiled.get_method("forward").counters().recaptures, 0U);
  EXPECT_THAT(log, testing::ElementsAre(
                       "forward_0_captured records gradients: its parameters are inputs, not constants"));
}

/// A function `f`.
class Function {
 public:
  explicit Function(const char* source) {
    unit_.define(std::nullopt, source, torch::jit::nativeResolver(), nullptr);
  }
  torch::jit::Function& get() { return unit_.get_function(c10::QualifiedName("f")); }

 private:
  torch::jit::CompilationUnit unit_;
};

TEST(CompileTest, AFunctionIsCompiled) {
  Function function("def f(x, n: int = 3):\n    return x.sin() * n\n");
  const CompiledFunction compiled = Compile(function.get());
  const at::Tensor x = at::ones({2});
  EXPECT_TRUE(compiled({x}).toTensor().equal(x.sin().mul(3)));
  EXPECT_TRUE(compiled({x}, {{"n", 4}}).toTensor().equal(x.sin().mul(4)));
  EXPECT_EQ(compiled.counters().recaptures, 1u);
  EXPECT_EQ(compiled.counters().operators, 4u);
}

TEST(CompileTest, BreaksAreCountedByTheirCodes) {
  const CompiledModule compiled = Compile(Net());
  const at::Tensor x = at::ones({2});
  EXPECT_TRUE(compiled.run_method("sign", x).toTensor().equal(at::full({2}, 4.0)));
  EXPECT_TRUE(compiled.run_method("sign", -x).toTensor().equal(at::full({2}, -4.0)));
  const CompileCounters counters = compiled.get_method("sign").counters();
  EXPECT_EQ(counters.breaks, (std::unordered_map<std::string, size_t>{{"B02", 1}}));
  EXPECT_EQ(counters.graphs, 3u) << "one in front of the branch, and one for each side";
}

TEST(CompileTest, WhatHasToBeOneGraphAndIsNotThrows) {
  const CompiledModule compiled = Compile(Net(), {.fullgraph = true});
  EXPECT_TRUE(Call(compiled, at::ones({1, 3})).defined());
  EXPECT_THAT(MessageOf([&] { compiled.run_method("sign", at::ones({2})); }),
              HasSubstr("the program is not one graph: B02: a branch depends on the numbers of a tensor"));
}

TEST(CompileTest, DisabledFunctionsRunAsWritten) {
  torch::jit::Module module = Net();
  const CompiledModule compiled = Compile(module, {.disable = {"forward"}});
  const at::Tensor x = at::ones({2, 3});
  EXPECT_TRUE(compiled.run_method("twice", x).toTensor().equal(module.get_method("twice")({x}).toTensor()));
  const CompileCounters counters = compiled.get_method("twice").counters();
  EXPECT_EQ(counters.breaks.at("B13"), 2u);
  EXPECT_EQ(counters.operators, 0u);
}

class Warnings : public c10::WarningHandler {
 public:
  void process(const c10::Warning& warning) override { messages.push_back(warning.msg()); }
  std::vector<std::string> messages;
};

TEST(CompileTest, AfterTooManyCapturesItRunsAsWrittenAndWarnsOnce) {
  Warnings warnings;
  const c10::WarningUtils::WarningHandlerGuard guard(&warnings);
  const config::Patch patch{{"dynamic_sizes", "off"}};
  const CompiledModule compiled = Compile(Net());
  for (int64_t rows = 1; rows <= 12; ++rows)
    EXPECT_TRUE(Call(compiled, at::ones({rows, 3})).equal(at::full({rows, 3}, 3.0)));
  EXPECT_THAT(
      warnings.messages,
      testing::ElementsAre(HasSubstr("forward: from its beginning on it runs as written: captured 8 times")));
  EXPECT_EQ(compiled.get_method("forward").counters().graphs, 8u);
  EXPECT_GT(compiled.get_method("forward").counters().as_written, 0u);
}

/// How many graphs there are after calls with 2 to 31 rows, each of which is right.
size_t GraphsForManySizes(const CompileOptions& options, bool trains = false) {
  torch::jit::Module module = Net();
  module.train(trains);
  const CompiledModule compiled = Compile(module, options);
  const at::AutoGradMode grad(trains);
  for (int64_t rows = 2; rows < 32; ++rows) {
    const at::Tensor x = at::rand({rows, 3}).requires_grad_(trains);
    const at::Tensor actual = Call(compiled, x);
    const at::Tensor expected = module.forward({x}).toTensor();
    EXPECT_TRUE(actual.allclose(expected)) << rows;
    if (!trains) continue;
    EXPECT_TRUE(torch::autograd::grad({actual.sum()}, {x})[0].allclose(
        torch::autograd::grad({expected.sum()}, {x})[0]))
        << rows;
  }
  return compiled.get_method("forward").counters().graphs;
}

TEST(CompileTest, TwoGraphsAreEnoughForManySizes) {
  for (const char* backend : {"eager", "aot-eager", "torchscript", "torchscript:stage=freeze",
                              "torchscript:stage=ofi", "torchscript:stage=nnc"}) {
    EXPECT_EQ(GraphsForManySizes({.backend = backend}), 2u) << backend;
    EXPECT_EQ(GraphsForManySizes({.backend = backend}, /*trains=*/true), 2u) << backend;
  }
}

TEST(CompileTest, OneGraphIsEnoughWhereASizeIsMarked) {
  EXPECT_EQ(GraphsForManySizes({.mark_dynamic = {{"x", 0}}}), 1u);
  const config::Patch patch{{"dynamic_sizes", "marked"}};
  EXPECT_EQ(GraphsForManySizes({.mark_dynamic = {{"x", 0}}}), 1u);
}

TEST(CompileTest, SizesThatAreNotToBecomeSymbolsHaveAGraphEach) {
  const config::Patch limit{{"recompile_limit", "100"}};
  EXPECT_EQ(GraphsForManySizes({.mark_static = {{"x", 0}}}), 30u);
  for (const char* setting : {"marked", "off"}) {
    const config::Patch patch{{"dynamic_sizes", setting}};
    EXPECT_EQ(GraphsForManySizes({}), 30u) << setting;
  }
}

TEST(CompileTest, AMarkOfAnArgumentThatDoesNotExistIsRefused) {
  EXPECT_EQ(MessageOf([] {
              Compile(Net(), {.mark_dynamic = {{"scales", 0}}});
            }),
            "there is no argument 'scales' whose size could be marked, did you mean 'scale'?");
  EXPECT_EQ(MessageOf([] {
              Compile(Net(), {.mark_static = {{"images[0]", 0}}});
            }),
            "there is no argument 'images' whose size could be marked");
  EXPECT_EQ(MessageOf([] {
              Compile(Net(), {.mark_dynamic = {{"x", 1}}, .mark_static = {{"x", 0}, {"x", 1}}});
            }),
            "dimension 1 of 'x' is marked as dynamic and as static");
}

TEST(CompileTest, FourThreadsMayCallIt) {
  for (const char* backend : {"eager", "torchscript:stage=ofi"}) {
    torch::jit::Module module = Net();
    module.eval();
    const CompiledModule compiled = Compile(module, {.backend = backend});
    std::array<bool, 4> right = {true, true, true, true};
    std::vector<std::thread> threads;
    for (size_t i = 0; i < right.size(); ++i) {
      threads.emplace_back([&, i] {
        const at::NoGradGuard no_grad;
        for (int64_t call = 0; call < 20; ++call) {
          const int64_t rows = 1 + (call + static_cast<int64_t>(i)) % 3;
          right[i] = right[i] && Call(compiled, at::ones({rows, 3})).equal(at::full({rows, 3}, 3.0));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(right, testing::Each(true)) << backend;
    EXPECT_THAT(compiled.get_method("forward").counters().graphs,
                testing::AllOf(testing::Ge(2), testing::Le(3)))
        << backend
        << ": one row, and any other number of them, for which the first may have been captured alone";
  }
}

TEST(CompileTest, WhatIsWrittenBeforeAnOperatorFailsIsWritten) {
  torch::jit::Module module("Net");
  module.register_buffer("last", at::zeros({2}));
  module.define(
      "def forward(self, x, i):\n    self.last = x * 2\n    y = x[i]\n    self.last = y\n    return y\n");
  const CompiledModule compiled = Compile(module, {.backend = "eager"});
  EXPECT_THAT(MessageOf([&] {
                compiled.forward({at::ones({2}), at::full({2}, 7, at::kLong)});
              }),
              HasSubstr("index 7 is out of bounds"));
  EXPECT_TRUE(module.attr("last").toTensor().equal(at::full({2}, 2.0)));
}

TEST(CompileTest, WhatTheProgramThrowsIsThrown) {
  torch::jit::Module module = Net();
  const CompiledModule compiled = Compile(module);
  const at::Tensor wrong = at::ones({2, 5});
  const auto expected = [&] { module.forward({wrong}); };
  EXPECT_THAT(MessageOf([&] { Call(compiled, wrong); }),
              HasSubstr("mat1 and mat2 shapes cannot be multiplied"));
  EXPECT_THAT(MessageOf(expected), HasSubstr("mat1 and mat2 shapes cannot be multiplied"));
}

}  // namespace
}  // namespace culprit
