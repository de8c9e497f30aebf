// SPDX-License-Identifier: Apache-2.0
//
// Failures that are hidden in models, traced and scripted, with results of ordinary size and of 1e-6: real
// ones of libtorch (tests/fixtures/make_hidden_bugs.py) and such as were put into a compiler. Each is found,
// ends with the operators that are to blame, and is verified.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <sstream>

#include "tests/lib/run_program.h"
#include "tests/lib/volume.h"
#include "tests/models/model_archives.h"
#include "tests/verdicts/hunting_program.h"

namespace culprit::tests {
namespace {

struct Hidden {
  /// Of an archive.
  std::string model;
  std::string inputs;
  std::string backend;
  /// Empty for a real one.
  std::string fault;
  bool train = false;
  /// All that may be left: each of them, or one of several with | between them.
  std::string guilty;
  bool in_sample = false;
};

constexpr const char* kImages = "f32[2,3,21,21]";
constexpr const char* kTokens = "i64[2,12]<90";
constexpr const char* kOfi = "torchscript:stage=ofi";
constexpr const char* kNnc = "torchscript:stage=nnc";
constexpr const char* kPlain = "torchscript";

/// One real bug in all its networks.
struct Bug {
  const char* name;
  const char* backend;
  const char* guilty;
  bool in_encoder = false;
  bool train = false;
  /// torch.jit.trace makes another program of it, which is compiled well.
  bool only_scripted = false;
};
constexpr Bug kBugs[] = {
    {"average_pool", kOfi, "conv2d|_convolution avg_pool2d"},
    {"scaled_add", kOfi, "conv2d|_convolution relu|sigmoid add"},
    {"clamp", kOfi, "conv2d|_convolution clamp"},
    {"folded", kOfi, "conv2d|_convolution relu_"},
    {"uneven_pool", kOfi, "conv2d|_convolution adaptive_avg_pool2d"},
    {"fraction", kNnc, "cos frac", true},
    {"bools", kPlain, "mul add add|mul", true, false, true},
    {"logarithm", kPlain, "add|complex log", true, true},
};

std::vector<Hidden> RealBugs() {
  std::vector<Hidden> all;
  for (const Bug& bug : kBugs) {
    for (const std::string how : {"trace", "script", "trace_tiny", "script_tiny"}) {
      if (bug.only_scripted && how.starts_with("trace")) continue;
      const auto add = [&](const char* network, const char* inputs) {
        all.push_back({fmt::format("{}_{}_{}", network, how, bug.name), inputs, bug.backend, "", bug.train,
                       bug.guilty});
      };
      add("conv", kImages);
      if (bug.in_encoder) add("encoder", kTokens);
    }
  }
  return all;
}

const std::vector<Hidden>& Faults() {
  static const std::vector<Hidden> faults = {
      {"hf_bert", kTokens, "eager", "gelu:accuracy", false, "gelu"},
      {"hf_bert", kTokens, "native", "gelu:wrong-loop", false, "gelu"},
      {"hf_gpt2", kTokens, "native", "tanh:wrong-loop", false, "tanh", true},
      {"hf_gpt2", kTokens, "torchscript", "layer_norm:late", false, "layer_norm"},
      {"hf_llama", kTokens, "native", "rsqrt:wrong-code", false, "rsqrt"},
      {"hf_llama", kTokens, "eager", "silu:nan", false, "silu"},
      {"hf_t5", kTokens, "eager", "relu:segfault", false, "relu"},
      {"hf_vit", "f32[2,3,32,32]", "native", "gelu:wrong-index", false, "gelu"},
      {"hf_whisper", "f32[2,16,32]", "aot-eager", "gelu:shape", false, "gelu"},
      {"hf_swin", "f32[2,3,32,32]", "eager", "roll:accuracy", false, "roll"},
      {"hf_resnet", "f32[2,3,32,32]", "native", "relu:wrong-loop", false, "relu"},
      {"hf_convnext", "f32[2,3,32,32]", "eager", "layer_norm:dtype", false, "layer_norm"},
      {"hf_resnet", "f32[2,3,32,32]", "aot-eager", "threshold_backward:accuracy", true, "threshold_backward"},
      {"hf_bert", kTokens, "aot-eager", "gelu_backward:accuracy", true, "gelu_backward"},
      {"resnet18", "f32[2,3,64,64]", "native", "relu_:wrong-loop", false, "relu_"},
      {"mobilenet_v2", "f32[2,3,64,64]", "native", "hardtanh_:wrong-loop", false, "hardtanh_"},
      {"mobilenet_v3_small", "f32[2,3,64,64]", "eager", "hardswish_:exit7", false, "hardswish_"},
      {"googlenet", "f32[2,3,96,96]", "eager", "cat:above:1000", false, "cat"},
      {"shufflenet_v2_x0_5", "f32[2,3,64,64]", "torchscript", "chunk:abort", false, "chunk getitem"},
      {"densenet121", "f32[2,3,64,64]", "eager", "avg_pool2d:accuracy", false, "avg_pool2d"},
  };
  return faults;
}

/// Whether these are the operators, in their order.
bool AreGuilty(const std::string& found, const std::string& expected) {
  std::istringstream each_found(found);
  std::istringstream each_expected(expected);
  std::string one;
  std::string choice;
  while (each_expected >> choice) {
    if (!(each_found >> one)) return false;
    const std::string name = one.substr(one.find("::") + 2);
    if (("|" + choice + "|").find("|" + name + "|") == std::string::npos) return false;
  }
  return !(each_found >> one);
}

void ExpectFound(const Hidden& hidden, const std::string& archive) {
  std::vector<std::string> words = {archive, "--inputs", hidden.inputs, "--backend", hidden.backend};
  if (!hidden.fault.empty()) words.insert(words.end(), {"--fault", hidden.fault});
  if (hidden.train) words.emplace_back("--train");
  const ProgramHunt hunt = HuntWithProgram(words);
  std::cout << fmt::format("{:<30} {:<6} {:<22} {:<28} {}", hidden.model, hidden.train ? "train" : "eval",
                           hidden.backend, hidden.fault, hunt.ToString())
            << std::endl;
  EXPECT_EQ(hunt.exit_code, 1) << hidden.model << hunt.log;
  EXPECT_TRUE(AreGuilty(hunt.guilty, hidden.guilty)) << hidden.model << ": " << hunt.guilty;
  EXPECT_TRUE(hunt.verified) << hidden.model;
}

/// The archives with real bugs; made once, as model_archives.h does.
std::string HiddenBug(const std::string& name) {
  const std::string folder = CULPRIT_HIDDEN_BUGS;
  std::vector<std::string> command = {CULPRIT_PYTHON, "tests/fixtures/make_hidden_bugs.py", folder};
  if (!FullVolume()) command.insert(command.end(), {"--only", name});
  static const ProgramRun all = FullVolume() ? RunProgram(command) : ProgramRun();
  const ProgramRun run = FullVolume() ? all : RunProgram(command);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return folder + "/" + name + ".pt";
}

TEST(HiddenFailuresTest, OperatorsThatAreLeftAreComparedInTheirOrder) {
  EXPECT_TRUE(AreGuilty("aten::conv2d aten::clamp", "conv2d|_convolution clamp"));
  EXPECT_FALSE(AreGuilty("aten::conv2d", "conv2d|_convolution clamp"));
  EXPECT_FALSE(AreGuilty("aten::conv2d aten::clamp aten::relu", "conv2d|_convolution clamp"));
  EXPECT_FALSE(AreGuilty("aten::conv aten::clamp", "conv2d|_convolution clamp"));
}

TEST(HiddenFailuresTest, RealBugsAreFoundInEveryNetwork) {
  for (const Hidden& hidden : RealBugs()) {
    const bool in_sample = hidden.model == "conv_trace_tiny_average_pool";
    if (in_sample || FullVolume()) ExpectFound(hidden, HiddenBug(hidden.model));
  }
}

TEST(HiddenFailuresTest, FaultsAreFoundInEveryModel) {
  std::map<std::string, std::string> archives;
  for (const nlohmann::json& row : ModelArchives(/*all=*/FullVolume()))
    archives[row["name"]] = ArchiveOf(row);
  for (const Hidden& hidden : Faults()) {
    if (hidden.in_sample || FullVolume()) ExpectFound(hidden, archives[hidden.model]);
  }
}

}  // namespace
}  // namespace culprit::tests
