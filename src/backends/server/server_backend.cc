// SPDX-License-Identifier: Apache-2.0
#include "backends/server/server_backend.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "backend/insight.h"
#include "backend/refusal.h"
#include "backends/server/graph_json.h"
#include "backends/server/server_compiled.h"
#include "backends/server/server_gradients.h"
#include "backends/server/tensors_out.h"
#include "graph/passes/freeze_placeholders.h"
#include "graph/text/script/script.h"

namespace culprit::backends::server {
namespace {

using backend::Values;
using nlohmann::json;

std::string SwitchText(const backend::SwitchOff& off) {
  if (!off.application) return off.name;
  return fmt::format("{}@{}{}", off.name, *off.application, off.and_later ? "+" : "");
}

/// The last word of its name, which autograd gives it (graph.h).
std::string StageOf(const graph::Graph& graph) {
  const std::string& name = graph.name();
  for (const char* stage : {"inference", "forward", "backward"}) {
    if (name == stage || name.ends_with(std::string("_") + stage)) return stage;
  }
  return "captured";
}

void ShowSeconds(const json& answer) {
  if (!backend::IsInsightWanted()) return;
  std::string seconds;
  for (const auto& [phase, time] : answer.at("seconds").items())
    seconds += fmt::format("{:.3f} {}\n", time.get<double>(), phase);
  if (!seconds.empty()) backend::ShowInsight("seconds.txt", seconds);
}

bool HasSymbols(const graph::Graph& graph) {
  return std::ranges::any_of(graph.placeholders(), [](const graph::Placeholder& placeholder) {
    return std::ranges::any_of(placeholder.symbols,
                               [](const std::string& symbol) { return !symbol.empty(); });
  });
}

void CheckDevice(const Hello& hello, const std::string& name, const at::Tensor& tensor) {
  const std::string device = at::DeviceTypeName(tensor.device().type(), /*lower_case=*/true);
  if (std::ranges::count(hello.devices, device) > 0) return;
  throw backend::Refusal(fmt::format("'{}' is on {}, and the server takes tensors on {}", name,
                                     tensor.device().str(), fmt::join(hello.devices, ", ")));
}

const char* NameOf(backend::Graphs graphs) {
  switch (graphs) {
    case backend::Graphs::kCaptured:
      return "captured";
    case backend::Graphs::kAfterAutograd:
      return "aot";
    case backend::Graphs::kBelow:
      return "below";
  }
  return "";
}

/// By placeholder, what the server takes for a constant.
std::vector<bool> FrozenIn(backend::Parameters wish, const graph::Graph& graph, const Values& inputs) {
  if (!backend::AreFrozen(wish, inputs)) return std::vector<bool>(inputs.size());
  if (wish == backend::Parameters::kFrozenForInference) return graph::FreezablePlaceholders(graph, inputs);
  std::vector<bool> frozen;
  for (const graph::Placeholder& placeholder : graph.placeholders())
    frozen.push_back(placeholder.kind != graph::PlaceholderKind::kInput);
  return frozen;
}

/// Without large constants, which a reader of text does not want. Those have a name in the text, and come
/// with the structure.
std::string TextOf(const graph::Graph& graph) {
  constexpr int64_t kMostElements = 4096;
  int64_t elements = 0;
  for (const graph::TensorConstant& constant : graph.constants()) elements += constant.tensor.numel();
  if (elements > kMostElements) return "";
  const base::Result<std::string> text = graph::text::PrintGraph(graph);
  return text.ok() ? *text : "";
}

}  // namespace

bool ServerBackend::gives_gradients() const {
  return hello_.gives_gradients && configuration_.graphs() == backend::Graphs::kCaptured;
}

backend::Parameters ServerBackend::parameters() const {
  const bool freezes = configuration_.graphs() == backend::Graphs::kCaptured && !is_eager_ &&
                       !hello_.freezes_with.empty() && configuration_[hello_.freezes_with] == "1";
  return freezes ? backend::Parameters::kFrozenForInference : hello_.parameters;
}

json ServerBackend::ChangedOptions() const {
  json changed = json::object();
  for (const backend::OptionDescription& option : hello_.description.options) {
    const std::string& value = configuration_[option.name];
    if (value != option.default_value) changed[option.name] = value;
  }
  return changed;
}

json ServerBackend::SwitchesOff() const {
  json off = json::array();
  for (const backend::SwitchOff& one : configuration_.off()) off.push_back(SwitchText(one));
  return off;
}

ServerMessage ServerBackend::QuestionFor(const graph::Graph& graph, const Values& inputs,
                                         int64_t handle) const {
  TensorsOut tensors;
  DescribedOut described;
  json values = json::array();
  const std::vector<bool> frozen = FrozenIn(parameters(), graph, inputs);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].isTensor()) {
      values.push_back(ConstantToJson(inputs[i]));
    } else {
      const at::Tensor& tensor = inputs[i].toTensor();
      CheckDevice(hello_, graph.value(graph.placeholders()[i].value).name, tensor);
      values.push_back(frozen[i] ? tensors.Add(tensor) : described.Add(tensor));
    }
  }
  json structure = GraphToJson(graph, [&](size_t i) { return tensors.Add(graph.constants()[i].tensor); });
  tensors.Fill();
  json question = {{"kind", "compile"},
                   {"handle", handle},
                   {"stage", StageOf(graph)},
                   {"graphs", NameOf(configuration_.graphs())},
                   {"eager", is_eager_},
                   {"graph", std::move(structure)},
                   {"text", TextOf(graph)},
                   {"inputs", std::move(values)},
                   {"options", ChangedOptions()},
                   {"off", SwitchesOff()},
                   {"threads", at::get_num_threads()},
                   {"isa", configuration_.isa()},
                   {"wants_artefacts", backend::IsInsightWanted()},
                   {"storages", tensors.storages()}};
  AddModes(question, gives_gradients() && RecordsGradients(inputs));
  return {std::move(question), tensors.memory()};
}

std::unique_ptr<backend::Backend> ServerBackend::EagerElsewhere() const {
  if (reference_ == Reference::kHere) return nullptr;
  auto eager = std::make_unique<ServerBackend>(*this);
  eager->hello_.parameters = backend::Parameters::kLifted;
  eager->hello_.draws_as_eager = true;
  eager->is_eager_ = true;
  return eager;
}

std::optional<std::string> ServerBackend::InPython(const graph::Graph& graph, const Values& /*inputs*/,
                                                   backend::Graphs graphs) const {
  const bool below = graphs == backend::Graphs::kAfterAutograd;
  const ServerMessage answer = session_->Ask({{{"kind", "python"},
                                               {"graphs", NameOf(below ? graphs : configuration_.graphs())},
                                               {"symbols", HasSymbols(graph)},
                                               {"options", ChangedOptions()},
                                               {"off", SwitchesOff()}}});
  const json& text = answer.content.at("text");
  return text.is_string() ? std::optional<std::string>(text.get<std::string>()) : std::nullopt;
}

std::optional<backend::PlainProgram> ServerBackend::InPlainCalls(const std::string& script,
                                                                 const std::string& expected) const {
  const ServerMessage answer = session_->Ask({{{"kind", "plain"},
                                               {"script", script},
                                               {"expected", json::parse(expected)},
                                               {"options", ChangedOptions()},
                                               {"off", SwitchesOff()}}});
  const json& text = answer.content.at("text");
  if (!text.is_string()) return std::nullopt;
  return backend::PlainProgram{text, answer.content.at("fails_so"), answer.content.at("said")};
}

std::unique_ptr<backend::Compiled> ServerBackend::Compile(graph::Graph graph, const Values& inputs) {
  const int64_t handle = session_->NextHandle();
  const ServerMessage answer = session_->Ask(QuestionFor(graph, inputs, handle));
  ShowSeconds(answer.content);
  const ServerCompiled::Traits traits{hello_.draws_as_eager, gives_gradients()};
  return std::make_unique<ServerCompiled>(session_, handle, traits);
}

}  // namespace culprit::backends::server
