// SPDX-License-Identifier: Apache-2.0
//
// A call of a captured graph that a server has recorded, and can go back from.
//
//   call      inputs that require gradients   =>  outputs, which of them are differentiable
//   backward  their tangents                  =>  gradients of those inputs
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "backend/backend.h"
#include "backends/server/session.h"

namespace culprit::backends::server {

/// Whether gradients are recorded of what is called with these inputs, now.
bool RecordsGradients(const backend::Values& inputs);

/// In what way operators are called now, for a question: "records" and "autocast".
void AddModes(nlohmann::json& question, bool records);

/// Of what was compiled, and of the call of that.
struct CallId {
  int64_t handle = 0;
  int64_t call = 0;
};

/// `outputs` are those of `answer`, and get a history that leads to the inputs. Those that are inputs become
/// these; those behind the outputs of the graph, which tell what became of inputs, go.
base::Status AddHistory(std::shared_ptr<Session> session, CallId recorded, const nlohmann::json& answer,
                        const backend::Values& inputs, backend::Values& outputs);

}  // namespace culprit::backends::server
