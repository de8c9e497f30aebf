// SPDX-License-Identifier: Apache-2.0
//
// Watched programs in Python:
//
//   LiveProgram       one session (watch/session/watch_session.h) for all graphs that are compiled with the same
//   settings LiveGraph     a watched graph, which Python calls in the place of what was compiled
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "python/fx_graph.h"
#include "python/python_compiler.h"
#include "watch/open.h"

namespace culprit::python {

class LiveGraph {
 public:
  explicit LiveGraph(std::unique_ptr<backend::Compiled> compiled) : compiled_(std::move(compiled)) {}

  /// With the lock. The list of inputs belongs to the callee, which empties it.
  pybind11::object Call(pybind11::list inputs) const;

 private:
  std::unique_ptr<backend::Compiled> compiled_;
};

class LiveProgram {
 public:
  using Texts = std::vector<std::pair<std::string, std::string>>;

  /// `settings` go over those of the thread. `rank` and `size` are 0 where there is one process.
  LiveProgram(const watch::NamedCompiler& compiler, const Texts& settings, int rank, int size);

  /// With the lock; throws what Python is to see.
  std::unique_ptr<LiveGraph> Compile(watch::Point point, const FxGraph& graph,
                                     const PythonCompiler& compiler) const;

  const base::Settings& settings() const { return session_->settings(); }
  /// Nothing is to be done with what is compiled.
  bool is_idle() const;
  watch::WatchSession& session() const { return *session_; }

 private:
  std::shared_ptr<watch::WatchSession> session_;
};

}  // namespace culprit::python
