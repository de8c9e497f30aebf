// SPDX-License-Identifier: Apache-2.0
//
// The graphs of a TorchScript model: a child captures it and writes its graphs as repros, which are then what
// a command is about, one after the other.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "hunt/request/hunt_request.h"
#include "hunt/request/listener.h"
#include "tasks/children.h"

namespace culprit::hunt {

struct ModelGraph {
  std::string file;
  /// Forward or backward, from below Culprit's own autograd.
  bool is_half = false;
};

struct ModelGraphs {
  /// In the order of the program.
  std::vector<ModelGraph> graphs;
  /// The program threw: graphs behind that are not known.
  bool is_cut_off = false;
};

/// Into a folder below request.scratch. An error if the model cannot be loaded, or its process dies; that the
/// program throws is a note.
base::Result<ModelGraphs> CaptureGraphs(const HuntRequest& request, const tasks::Children& children,
                                        Listener& listener);

}  // namespace culprit::hunt
