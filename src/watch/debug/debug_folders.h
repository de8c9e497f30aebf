// SPDX-License-Identifier: Apache-2.0
//
// The debug folders (debug_folder.h) of one program. A graph that autograd has made finds the folder of the
// captured one by its name: net_0_forward belongs to net_0_captured. Nothing here throws: the first thing
// that goes wrong is a warning, what goes wrong behind it is not told, and the program goes on. Several
// threads may write.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "backend/insight.h"
#include "watch/debug/debug_folder.h"
#include "watch/session/watch_session.h"

namespace culprit::watch {

class DebugFolders {
 public:
  using Log = std::function<void(const std::string&)>;

  /// `log` hears of each folder.
  DebugFolders(std::shared_ptr<WatchSession> session, Log log)
      : session_(std::move(session)), log_(std::move(log)) {}

  /// A captured graph is about to be compiled. What `describe` throws is a warning, too.
  void Begin(const std::function<CapturedGraph()>& describe) noexcept;

  /// The compilation of a captured graph, autograd included, until the end of the scope.
  class Whole {
   public:
    Whole(DebugFolders& folders, const std::string& graph_name);
    ~Whole();
    Whole(const Whole&) = delete;
    Whole& operator=(const Whole&) = delete;

   private:
    DebugFolders& folders_;
    const std::string graph_name_;
    const std::chrono::steady_clock::time_point start_;
  };

  /// What the compiler itself does with a graph, until the end of the scope.
  class Handed {
   public:
    Handed(DebugFolders& folders, const graph::Graph& graph, const backend::Values& inputs);
    ~Handed();
    Handed(const Handed&) = delete;
    Handed& operator=(const Handed&) = delete;

   private:
    DebugFolders& folders_;
    const std::string graph_name_;
    const std::chrono::steady_clock::time_point start_;
    std::chrono::steady_clock::time_point compile_start_;
    std::optional<backend::InsightScope> insight_;
  };

 private:
  struct Known {
    DebugFolder folder;
    /// Of the compiler and of the writing, which are not autograd's.
    double handed_seconds = 0;
  };

  /// Nothing happens if there is no folder for the graph.
  void Write(const std::string& graph_name, const std::function<base::Status(Known&)>& write) noexcept;
  base::Status MakeFolder(const std::function<CapturedGraph()>& describe);
  void Warn(const std::string& text) noexcept;

  const std::shared_ptr<WatchSession> session_;
  const Log log_;
  std::mutex mutex_;
  /// By the part of the name that is the same above and below autograd; the newest graph of a name.
  std::map<std::string, Known> known_;
  bool has_warned_ = false;
};

}  // namespace culprit::watch
