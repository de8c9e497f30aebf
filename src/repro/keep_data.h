// SPDX-License-Identifier: Apache-2.0
//
// The first half of writing a repro, in whatever language: what its inputs and constants are, where their
// bytes go, and what its header says.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/tensors/input_spec.h"
#include "repro/write_repro.h"

namespace culprit::repro {

struct KeptData {
  /// With contents everywhere: those that were not kept are numbers from a seed.
  graph::InputSpecs inputs;
  /// One per constant of the graph; unknown if its own numbers are written out.
  std::vector<graph::StorageContents> constants;
  /// Without what the graph has no use for, and what stable output leaves out.
  Header header;
  /// Inputs and constants that hold other numbers than they did, by name; those of the repro's header too.
  std::vector<std::string> random;
};

/// Large tensors are in the store at `store_path` afterwards, if the options say so.
base::Result<KeptData> KeepData(const Repro& repro, const WriteOptions& options,
                                const std::string& store_path);

}  // namespace culprit::repro
