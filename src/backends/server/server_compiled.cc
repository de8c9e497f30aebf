// SPDX-License-Identifier: Apache-2.0
#include "backends/server/server_compiled.h"

#include <ATen/CPUGeneratorImpl.h>

#include <stdexcept>

#include "backends/server/graph_json.h"
#include "backends/server/outputs_in.h"
#include "backends/server/server_gradients.h"
#include "backends/server/tensors_out.h"

namespace culprit::backends::server {

using backend::Values;
using nlohmann::json;

Values ServerCompiled::Call(Values& inputs) {
  const bool records = traits_.gives_gradients && RecordsGradients(inputs);
  const CallId recorded{handle_, records ? session_->NextHandle() : 0};
  TensorsOut tensors;
  json values = json::array();
  for (const c10::IValue& input : inputs)
    values.push_back(input.isTensor() ? tensors.Add(input.toTensor()) : ConstantToJson(input));
  json generator;
  if (traits_.draws_as_eager) generator = tensors.Add(at::detail::getDefaultCPUGenerator().get_state());
  tensors.Fill();
  json question = {{"kind", "call"},
                   {"handle", handle_},
                   {"call", recorded.call},
                   {"done", session_->TakeForgotten()},
                   {"inputs", std::move(values)},
                   {"generator", std::move(generator)},
                   {"storages", tensors.storages()}};
  AddModes(question, records);
  const ServerMessage answer = session_->Ask({std::move(question), tensors.memory()});
  tensors.CopyBack();
  base::Result<Values> outputs = ReadOutputs(answer, tensors.originals());
  if (!outputs.ok()) throw std::runtime_error(outputs.error().message);
  if (!records) return *std::move(outputs);
  const base::Status added = AddHistory(session_, recorded, answer.content, inputs, *outputs);
  if (!added.ok()) throw std::runtime_error(added.error().message);
  return *std::move(outputs);
}

}  // namespace culprit::backends::server
