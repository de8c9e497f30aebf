// SPDX-License-Identifier: Apache-2.0
#include "backends/server/server_backend.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

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
  ServerCompiled(std::shared_ptr<Session> session, int64_t handle)
      : session_(std::move(session)), handle_(handle) {}

  Values Call(Values& inputs) override {
    TensorsOut tensors;
    json values = json::array();
    for (const c10::IValue& input : inputs)
      values.push_back(input.isTensor() ? tensors.Add(input.toTensor()) : ConstantToJson(input));
    tensors.Fill();
    const ServerMessage answer = session_->Ask({{{"kind", "call"},
                                                 {"handle", handle_},
                                                 {"inputs", std::move(values)},
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

ServerMessage ServerBackend::QuestionFor(const graph::Graph& graph, const Values& inputs) const {
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
      values.push_back(frozen ? tensors.Add(tensor) : described.Add(tensor));
    }
  }
  json structure = GraphToJson(graph, [&](size_t i) { return tensors.Add(graph.constants()[i].tensor); });
  tensors.Fill();
  return {{{"kind", "compile"},
           {"handle", handles_},
           {"stage", StageOf(graph)},
           {"graph", std::move(structure)},
           {"inputs", std::move(values)},
           {"options", ChangedOptions()},
           {"off", SwitchesOff()},
           {"threads", at::get_num_threads()},
           {"wants_artefacts", backend::IsInsightWanted()},
           {"storages", tensors.storages()}},
          tensors.memory()};
}

std::optional<std::string> ServerBackend::InPython(const graph::Graph& /*graph*/, const Values& /*inputs*/,
                                                   backend::Graphs graphs) const {
  const bool below = graphs == backend::Graphs::kAfterAutograd;
  const ServerMessage answer = session_->Ask({{{"kind", "python"},
                                               {"graphs", below ? "aot" : "captured"},
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
  ++handles_;
  session_->Ask(QuestionFor(graph, inputs));
  return std::make_unique<ServerCompiled>(session_, handles_);
}

}  // namespace culprit::backends::server
