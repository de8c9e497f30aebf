// SPDX-License-Identifier: Apache-2.0
//
// A backend for a live program, watched as the settings say, with the faults that they name.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "backend/backend.h"
#include "base/result.h"
#include "base/settings.h"
#include "watch/debug/debug_folders.h"
#include "watch/session/watch_session.h"

namespace culprit::watch {

struct OpenedBackend {
  std::unique_ptr<backend::Backend> backend;
  std::shared_ptr<WatchSession> session;
  /// Null unless the settings ask for them. Whoever captures says what is known about each graph.
  std::shared_ptr<DebugFolders> debug = nullptr;
};

struct WatchOptions {
  /// Hears of graphs that are not compiled, and of debug folders.
  std::function<void(const std::string&)> log = nullptr;
  /// Hears what goes wrong with the watching itself.
  Warn warn = nullptr;
  /// If the program has several.
  std::optional<Rank> rank = std::nullopt;
};

/// What a repro calls a compiler that the program has by itself, as NAME[:key=value,...].
struct NamedCompiler {
  /// For graphs as they were captured.
  std::string captured;
  /// For those that autograd has made.
  std::string split;
  /// Whether there are any.
  bool splits_graphs = true;
};

/// For a program whose compilers are not opened here. Those are watched one by one, at their points, with the
/// faults that the settings name.
std::shared_ptr<WatchSession> OpenSession(const NamedCompiler& compiler, base::Settings settings,
                                          const WatchOptions& options = {});
/// `original` as of Watch (watched_backend.h).
base::Result<std::unique_ptr<backend::Backend>> WatchWithFaults(
    std::unique_ptr<backend::Backend> compiler, Point point, const std::shared_ptr<WatchSession>& session,
    std::shared_ptr<backend::Compiled> original = nullptr);

/// `backend` as NAME[:key=value,...]; empty for the one of the settings.
base::Result<OpenedBackend> Open(const std::string& backend, base::Settings settings,
                                 const WatchOptions& options = {});

}  // namespace culprit::watch
