// SPDX-License-Identifier: Apache-2.0
//
// The options of backends that take graphs below autograd: not theirs, since Culprit stands in front of them.
//
//   torchscript:graphs=aot,partition=min-cut,stage=ofi
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/spec.h"
#include "base/result.h"

namespace culprit::backends {

/// What users are told: the kind's own description, with these options if it has a use for them.
backend::Description WithGraphOptions(const backend::Description& description);

struct OpenOptions {
  /// Hears why a graph is not split into forward and backward but runs as it is.
  std::function<void(const std::string&)> log = nullptr;
  /// Puts something around the compiler itself, below autograd if that stands in front of it.
  using Wrap =
      std::function<base::Result<std::unique_ptr<backend::Backend>>(std::unique_ptr<backend::Backend>)>;
  Wrap wrap = nullptr;
  /// Configuration::isa.
  std::string isa = {};
};

/// The backend with its settings, and autograd in front of it if it takes graphs below that.
base::Result<std::unique_ptr<backend::Backend>> OpenForGraphs(const backend::Kind& kind,
                                                              const backend::Spec& spec,
                                                              const OpenOptions& options);

/// Whether autograd would stand in front of it.
base::Result<bool> IsBelowAutograd(const backend::Description& description, const backend::Spec& spec);

/// How a captured graph can be handed to it, the way in which a failure is smaller first: below autograd, then as it
/// was captured, if it takes both and the user has not chosen one.
base::Result<std::vector<backend::Spec>> WaysInto(const backend::Description& description,
                                                  const backend::Spec& spec);

/// The backend for graphs that autograd has made already: they are handed to the compiler as they are, if it
/// takes such graphs at all.
backend::Spec ForSplitGraphs(const backend::Description& description, const backend::Spec& spec);

}  // namespace culprit::backends
