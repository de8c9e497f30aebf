// SPDX-License-Identifier: Apache-2.0
//
// A compiler under observation: what it throws is reported, and what it compiles is watched
// (watched_compiled.h). There are two places for it (subject/watched_graph.h):
//
//   program => capture => [kCapture] => autograd => [kAot] => compiler
//
// A failing compilation throws BackendCompilerFailed, or, with suppress_errors, gives a graph that runs as it
// is written. The compiler gets copies of graph and inputs, and may do with them what it likes.
#pragma once

#include <memory>

#include "backend/backend.h"
#include "watch/session/watch_session.h"

namespace culprit::watch {

/// With an `original` (subject/watched_graph.h) the compiler knows its graph by itself, and compiles no other.
std::unique_ptr<backend::Backend> Watch(std::unique_ptr<backend::Backend> compiler, Point point,
                                        std::shared_ptr<WatchSession> session,
                                        std::shared_ptr<backend::Compiled> original = nullptr);

}  // namespace culprit::watch
