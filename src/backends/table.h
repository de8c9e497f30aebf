// SPDX-License-Identifier: Apache-2.0
//
// All backends, and the way from their name to a compiler. Beside those that are built in there are plug-ins:
// a name with a slash in it is the file of one, unless it begins with `exec:`, which is the command of a
// server (server/server.h); and the environment variable CULPRIT_BACKENDS lists files, with colons between
// them, that `culprit backends` is to show.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"
#include "backend/spec.h"
#include "backends/graph_options.h"
#include "base/result.h"

namespace culprit::backends {

/// Those that are built in, in the order of `culprit backends`. Each lives as long as the process.
std::span<const backend::Kind* const> AllKinds();

/// The backend with its settings; the error names what is wrong and the nearest name that exists.
base::Result<std::unique_ptr<backend::Backend>> Open(const backend::Spec& spec,
                                                     const OpenOptions& options = {});

/// Starts the server of the backend, if it lives in one and none runs yet, so that children of this process
/// find it: one that a child starts goes with the child.
base::Status Prepare(const backend::Spec& spec);

/// Whether it lives in a server.
bool IsServed(const backend::Spec& spec);

/// What a backend says about itself; of the options only the interpreter counts, by which it may be another
/// one.
base::Result<backend::Description> Describe(const backend::Spec& spec);
inline base::Result<backend::Description> Describe(const std::string& name) {
  return Describe(backend::Spec{name});
}

/// A backend that cannot be loaded is listed too, with the reason.
struct Listed {
  std::string name;
  base::Result<backend::Description> description;
};

/// The built-in ones, then the plug-ins in `files`, which is what CULPRIT_BACKENDS holds.
std::vector<Listed> List(std::string_view files);

}  // namespace culprit::backends
