// SPDX-License-Identifier: Apache-2.0
#include "backends/server/server_gradients.h"

#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/runtime/outside_backward.h"
#include "autograd/trace/trace_modes.h"
#include "backends/server/outputs_in.h"
#include "backends/server/tensors_out.h"
#include "graph/text/syntax/literal.h"

namespace culprit::backends::server {
namespace {

using backend::Values;
using nlohmann::json;

bool RequiresGradient(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() && value.toTensor().requires_grad();
}

class ServerBackward : public autograd::OutsideBackward {
 public:
  ServerBackward(std::shared_ptr<Session> session, CallId recorded)
      : session_(std::move(session)), recorded_(recorded) {}
  ~ServerBackward() override { session_->Forget(recorded_.call); }
  ServerBackward(const ServerBackward&) = delete;
  ServerBackward& operator=(const ServerBackward&) = delete;

  std::string name() const override { return fmt::format("call {} of a server", recorded_.call); }

  std::vector<at::Tensor> Run(const std::vector<at::Tensor>& tangents, const std::vector<bool>& wanted,
                              bool keeps) override {
    TensorsOut tensors;
    json given = json::array();
    for (const at::Tensor& tangent : tangents)
      given.push_back(tangent.defined() ? tensors.Add(tangent) : json());
    tensors.Fill();
    json question = {{"kind", "backward"},
                     {"handle", recorded_.handle},
                     {"call", recorded_.call},
                     {"tangents", std::move(given)},
                     {"wanted", wanted},
                     {"keep", keeps},
                     {"storages", tensors.storages()}};
    AddModes(question, /*records=*/false);
    const ServerMessage answer = session_->Ask({std::move(question), tensors.memory()});
    const base::Result<Values> gradients = ReadOutputs(answer, tensors.originals());
    if (!gradients.ok()) throw std::runtime_error(gradients.error().message);
    if (gradients->size() != wanted.size())
      throw std::runtime_error(fmt::format("the server gives {} gradients, and {} were asked for",
                                           gradients->size(), wanted.size()));
    std::vector<at::Tensor> found;
    for (const c10::IValue& gradient : *gradients)
      found.push_back(gradient.isTensor() ? gradient.toTensor() : at::Tensor());
    return found;
  }

 private:
  const std::shared_ptr<Session> session_;
  const CallId recorded_;
};

struct Unfit : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A server may be damaged: positions that it names are checked.
const at::Tensor& TensorAt(const Values& values, size_t index, const char* what) {
  if (index >= values.size() || !values[index].isTensor())
    throw Unfit(fmt::format("the server's answer is no answer: {} {}", what, index));
  return values[index].toTensor();
}

/// Outputs with a history, and which of them are what inputs have become.
struct Differentiable {
  std::vector<at::Tensor> outputs;
  std::vector<autograd::WrittenInput> written;
};

Differentiable ReadDifferentiable(const json& answer, const Values& inputs, const Values& outputs) {
  Differentiable found;
  const std::vector<size_t> positions = answer.at("differentiable");
  for (const size_t position : positions) {
    const at::Tensor& output = TensorAt(outputs, position, "the gradient of output");
    if (!(c10::isFloatingType(output.scalar_type()) || c10::isComplexType(output.scalar_type())) ||
        output.requires_grad())
      throw Unfit(fmt::format("the server's answer is no answer: a history for output {}", position));
    found.outputs.push_back(output);
  }
  const std::vector<std::pair<size_t, size_t>> written = answer.at("written");
  for (const auto& [input, output] : written) {
    const auto position = std::ranges::find(positions, output);
    if (position == positions.end()) throw Unfit("the server's answer is no answer: a write without history");
    found.written.push_back(
        {TensorAt(inputs, input, "a write into input"), static_cast<size_t>(position - positions.begin())});
  }
  return found;
}

}  // namespace

bool RecordsGradients(const Values& inputs) {
  return c10::GradMode::is_enabled() && std::ranges::any_of(inputs, RequiresGradient);
}

void AddModes(json& question, bool records) {
  const autograd::TraceModes modes = autograd::TraceModes::Current();
  question["records"] = records;
  question["autocast"] = nullptr;
  if (!modes.autocast) return;
  const std::string_view dtype = graph::text::NameOf(modes.autocast_dtype);
  question["autocast"] = dtype.substr(dtype.find('.') + 1);
}

base::Status AddHistory(std::shared_ptr<Session> session, CallId recorded, const json& answer,
                        const Values& inputs, Values& outputs) {
  const auto backward = std::make_shared<ServerBackward>(std::move(session), recorded);
  try {
    const Differentiable found = ReadDifferentiable(answer, inputs, outputs);
    const std::vector<std::pair<size_t, size_t>> same = answer.at("same");
    for (const auto& [output, input] : same) {
      TensorAt(outputs, output, "output");
      outputs[output] = TensorAt(inputs, input, "input");
    }
    if (found.written.size() > outputs.size()) throw Unfit("the server's answer is no answer: writes");
    outputs.resize(outputs.size() - found.written.size());
    if (found.outputs.empty()) return base::Done();
    std::vector<at::Tensor> leaves;
    for (const c10::IValue& input : inputs)
      if (RequiresGradient(input)) leaves.push_back(input.toTensor());
    SetOutsideHistory(leaves, found.outputs, found.written, backward);
    return base::Done();
  } catch (const Unfit& error) {
    return base::Diagnostic{{}, error.what()};
  } catch (const json::exception& error) {
    return base::Diagnostic{{}, fmt::format("the server's answer is no answer: {}", error.what())};
  }
}

}  // namespace culprit::backends::server
