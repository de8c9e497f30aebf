// SPDX-License-Identifier: Apache-2.0
//
// `hunt` in the graphs of a TorchScript model (hunt/graph_series.h).
#pragma once

#include "cli/minify_options.h"

namespace culprit::cli {

/// Gives the exit code.
int HuntModel(const MinifyOptions& options);

}  // namespace culprit::cli
