// SPDX-License-Identifier: Apache-2.0
//
// The options of backends that take graphs below autograd: not theirs, since Culprit stands in front of them.
//
//   torchscript:graphs=aot,partition=min-cut,stage=ofi
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "backend/backend.h"
#include "backend/spec.h"
#include "base/result.h"

namespace culprit::backends {

/// What users are told: the kind's own description, with these options if it has a use for them.
backend::Description WithGraphOptions(const backend::Description& description);

/// Hears why a graph is not split into forward and backward but runs as it is.
using Log = std::function<void(const std::string&)>;

/// The backend with its settings, and autograd in front of it if it takes graphs below that.
base::Result<std::unique_ptr<backend::Backend>> OpenForGraphs(const backend::Kind& kind,
                                                              const backend::Spec& spec, const Log& log);

}  // namespace culprit::backends
