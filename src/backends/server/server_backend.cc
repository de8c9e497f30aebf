// SPDX-License-Identifier: Apache-2.0
#include "backends/server/server_backend.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "backend/insight.h"
#include "backend/refusal.h"
#include "backends/server/graph_json.h"
#include "backends/server/outputs_in.h"
#include "backends/server/tensors_out.h"
#include "graph/text/script/script.h"

namespace culprit::backends::server {
namespace {

using backend::Values;
using nlohmann::json;

class ServerCompiled : public backend::Compiled {
 public:
  ServerCompiled(std::shared_ptr<Session> session, int64_t handle, bool draws_as_eager)
      : session_(std::move(session)), handle_(handle), draws_as_eager_(draws_as_eager) {}

  Values Call(Values& inputs) override {
    TensorsOut tensors;
    json values = json::array();
    for (const c10::IValue& input : inputs)
      values.push_back(input.isTensor() ? tensors.Add(input.toTensor()) : ConstantToJson(input));
    json generator;
    if (draws_as_eager_) generator = tensors.Add(at::detail::getDefaultCPUGenerator().get_state());
    tensors.Fill();
    const ServerMessage answer = session_->Ask({{{"kind", "call"},
                                                 {"handle", handle_},
                                                 {"inputs", std::move(values)},
                                                 {"generator", std::move(generator)},
                                                 {"storages", tensors.storages()}},
                                                tensors.memory()});
    tensors.CopyBack();
    base::Result<Values> outputs = ReadOutputs(answer, tensors.originals());
    if (!outputs.ok()) throw std::runtime_error(outputs.error().message);
    return *std::move(outputs);
  }

 private:
  std::shared_ptr<Session> session_;
  int64_t handle_;
  bool draws_as_eager_;
};

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
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool frozen = hello_.parameters == backend::Parameters::kFrozen &&
                        graph.placeholders()[i].kind != graph::PlaceholderKind::kInput;
    if (!inputs[i].isTensor()) {
      values.push_back(ConstantToJson(inputs[i]));
    } else {
      const at::Tensor& tensor = inputs[i].toTensor();
      CheckDevice(hello_, graph.value(graph.placeholders()[i].value).name, tensor);
      values.push_back(frozen ? tensors.Add(tensor) : described.Add(tensor));
    }
  }
  json structure = GraphToJson(graph, [&](size_t i) { return tensors.Add(graph.constants()[i].tensor); });
  tensors.Fill();
  return {{{"kind", "compile"},
           {"handle", handle},
           {"stage", StageOf(graph)},
           {"eager", is_eager_},
           {"graph", std::move(structure)},
           {"text", TextOf(graph)},
           {"inputs", std::move(values)},
           {"options", ChangedOptions()},
           {"off", SwitchesOff()},
           {"threads", at::get_num_threads()},
           {"isa", configuration_.isa()},
           {"wants_artefacts", backend::IsInsightWanted()},
           {"storages", tensors.storages()}},
          tensors.memory()};
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
                                               {"graphs", below ? "aot" : "captured"},
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
  return std::make_unique<ServerCompiled>(session_, handle, hello_.draws_as_eager);
}

}  // namespace culprit::backends::server
