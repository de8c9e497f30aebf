// SPDX-License-Identifier: Apache-2.0
#include "backends/torchscript/script/settings.h"

#include <array>
#include <string_view>
#include <utility>

#include "base/internal_error.h"

namespace culprit::backends::torchscript {
namespace {

using backend::Configuration;
using backend::FromFile;

constexpr std::string_view kAuto = "auto";
constexpr int64_t kMostCalls = 1000;

constexpr std::array<std::pair<std::string_view, ScriptStage>, 5> kStages = {{
    {"plain", ScriptStage::kPlain},
    {"freeze", ScriptStage::kFreeze},
    {"ofi", ScriptStage::kOfi},
    {"nnc", ScriptStage::kNnc},
    {"legacy-fuser", ScriptStage::kLegacyFuser},
}};
constexpr std::array<std::pair<std::string_view, Executor>, 3> kExecutors = {{
    {"profiling", Executor::kProfiling},
    {"simple", Executor::kSimple},
    {"legacy", Executor::kLegacy},
}};

template <typename Table>
std::vector<std::string> NamesIn(const Table& table) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const auto& [name, value] : table) names.emplace_back(name);
  return names;
}

template <typename Table>
auto Find(const Table& table, std::string_view wanted) {
  for (const auto& [name, value] : table) {
    if (name == wanted) return value;
  }
  CULPRIT_CHECK(false, "'{}' is not among the choices", wanted);
  return table[0].second;
}

base::Result<Executor> ReadExecutor(const Configuration& configuration, ScriptStage stage) {
  const std::string& text = configuration["executor"];
  // Each fuser lives in one of them only.
  const Executor own = stage == ScriptStage::kLegacyFuser ? Executor::kLegacy : Executor::kProfiling;
  if (text == kAuto) return own;
  const Executor executor = Find(kExecutors, text);
  const bool has_fuser = stage == ScriptStage::kNnc || stage == ScriptStage::kLegacyFuser;
  if (!has_fuser || executor == own) return executor;
  return base::Diagnostic{
      {"backend 'torchscript'"},
      fmt::format("stage '{}' has its fuser in executor '{}', not in '{}'", configuration["stage"],
                  own == Executor::kLegacy ? "legacy" : "profiling", text)};
}

// The profiling executor optimises the forward pass at its 2nd call. The backward pass that this brings
// along is watched at that call and optimised at the next.
int CallsNeededBy(Executor executor) {
  return executor == Executor::kProfiling ? 3 : 1;
}

}  // namespace

std::vector<backend::OptionDescription> DescribeOptions() {
  std::vector<std::string> executors = NamesIn(kExecutors);
  executors.insert(executors.begin(), std::string(kAuto));
  return {{"stage", "plain", "how far the graph is optimised", NamesIn(kStages), FromFile::kUse},
          {"executor", std::string(kAuto), "what optimises at the calls; auto: what the stage needs",
           std::move(executors), FromFile::kUse},
          {"calls",
           std::string(kAuto),
           "calls until it is judged; auto: 3 for the profiling executor, else 1",
           {},
           FromFile::kUse}};
}

base::Result<ScriptSettings> ReadSettings(const Configuration& configuration) {
  ScriptSettings settings;
  settings.stage = Find(kStages, configuration["stage"]);
  settings.executor = CULPRIT_TRY(ReadExecutor(configuration, settings.stage));
  settings.calls = CallsNeededBy(settings.executor);
  if (configuration["calls"] != kAuto) {
    settings.calls = static_cast<int>(CULPRIT_TRY(configuration.Integer("calls", 1, kMostCalls)));
  }
  return settings;
}

}  // namespace culprit::backends::torchscript
