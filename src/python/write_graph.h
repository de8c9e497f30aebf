// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "python/fx_graph.h"

namespace culprit::python {

/// As a repro without a failure: `compiler` as NAME[:key=value,...] is to be tried with these inputs.
base::Status WriteGraph(const FxGraph& graph, const std::string& path, const std::string& compiler,
                        backend::Values inputs);

}  // namespace culprit::python
