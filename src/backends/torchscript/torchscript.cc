// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/torchscript.h"

#include <algorithm>

#include "backends/torchscript/python_text.h"
#include "backends/torchscript/raise/raise.h"
#include "backends/torchscript/raise/raise_table.h"
#include "backends/torchscript/script/compiled.h"
#include "backends/torchscript/script/passes.h"
#include "backends/torchscript/script/settings.h"
#include "graph/passes/freeze_placeholders.h"

namespace culprit::backends::torchscript {
namespace {

using backend::SwitchBoard;
using backend::Values;

constexpr const char* kExecutorOptimize = "executor_optimize";
constexpr const char* kNncFuse = "nnc_fuse";
constexpr const char* kLegacyFuse = "legacy_fuse";

// The fuser can be told to leave all calls of an operator alone: each operator is an application, in the
// order of their first calls.
std::vector<std::string> UnfusedOperators(torch::jit::Graph& graph, SwitchBoard& switches) {
  std::vector<std::string> seen;
  std::vector<std::string> unfused;
  for (const torch::jit::Node* node : graph.nodes()) {
    const std::string name = node->kind().toUnqualString();
    if (!node->kind().is_aten() || std::ranges::count(seen, name) > 0) continue;
    seen.push_back(name);
    if (!switches.Apply(kNncFuse)) unfused.push_back(name);
  }
  return unfused;
}

class TorchScriptBackend : public backend::Backend {
 public:
  TorchScriptBackend(ScriptSettings settings, std::vector<backend::SwitchOff> off)
      : settings_(settings), off_(std::move(off)) {}

  backend::Parameters parameters() const override {
    return settings_.freezes() ? backend::Parameters::kFrozen : backend::Parameters::kLifted;
  }
  int calls() const override { return settings_.calls; }

  std::optional<std::string> InPython(const graph::Graph& graph, const Values& inputs,
                                      backend::Graphs graphs) const override {
    const bool can = off_.empty() && graphs == backend::Graphs::kCaptured;
    return can ? PythonText(graph, inputs, settings_) : std::nullopt;
  }

  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values& inputs) override {
    SwitchBoard switches(off_);
    graph::FrozenGraph frozen =
        settings_.freezes() ? FreezePlaceholders(graph, inputs) : graph::KeepPlaceholders(std::move(graph));
    BuiltGraph built = BuildGraph(Raise(frozen.graph, switches), graph::TakenInputs(inputs, frozen.kept));
    Flags flags{settings_, switches.Apply(kExecutorOptimize)};
    if (settings_.stage == ScriptStage::kNnc) flags.unfused = UnfusedOperators(*built.graph, switches);
    if (settings_.stage == ScriptStage::kLegacyFuser) flags.fuse_legacy = switches.Apply(kLegacyFuse);
    const FlagScope scope(flags);
    RunStagePasses(built.graph, settings_.stage, switches);
    return std::make_unique<TorchScriptCompiled>(std::move(built), std::move(frozen.kept), std::move(flags));
  }

 private:
  ScriptSettings settings_;
  std::vector<backend::SwitchOff> off_;
};

std::vector<backend::SwitchDescription> DescribeSwitches() {
  std::vector<backend::SwitchDescription> switches;
  for (backend::SwitchDescription& pass : DescribePasses()) switches.push_back(std::move(pass));
  switches.push_back({kExecutorOptimize, "whatever the executor does at the calls"});
  switches.push_back({kNncFuse, "fusing an operator in stage nnc, by the order of first calls"});
  switches.push_back({kLegacyFuse, "fusing in stage legacy-fuser"});
  // Last, since these are not TorchScript's own: without them it sees less.
  for (const RaiseRow& row : RaiseTable()) switches.push_back({row.name, row.line});
  return switches;
}

}  // namespace

const backend::Description& TorchScript::description() const {
  static const backend::Description description{
      "torchscript",
      "TorchScript, the compilers inside libtorch",
      DescribeOptions(),
      DescribeSwitches(),
      {backend::Graphs::kCaptured, backend::Graphs::kAfterAutograd}};
  return description;
}

base::Result<std::unique_ptr<backend::Backend>> TorchScript::Open(
    const backend::Configuration& configuration) const {
  const ScriptSettings settings = CULPRIT_TRY(ReadSettings(configuration));
  return std::unique_ptr<backend::Backend>(
      std::make_unique<TorchScriptBackend>(settings, configuration.off()));
}

}  // namespace culprit::backends::torchscript
