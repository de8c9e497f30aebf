// SPDX-License-Identifier: Apache-2.0
//
// A plain run of a graph that can say where it failed.
#pragma once

#include <ATen/core/ivalue.h>

#include <vector>

#include "base/result.h"
#include "repro/repro.h"

namespace culprit::cli {

/// Runs on copies of the inputs, under the settings of the header. `node_lines` are the lines of the nodes in
/// the file, which an error names.
base::Result<std::vector<c10::IValue>> RunEagerly(const repro::Repro& repro, const std::string& file,
                                                  const std::vector<uint32_t>& node_lines);

}  // namespace culprit::cli
