// SPDX-License-Identifier: Apache-2.0
//
// What a compiled graph of a live program leaves behind if the setting `debug` is on:
//
//   culprit_debug/20261116T074512-4711-net_0_captured/
//     guards.txt       what has to hold so that the graph is used again
//     captured.py      the graph as it was captured
//     forward.py       what autograd has made of it, as the backend was handed it; backward.py comes when a
//     backward.py      gradient is first wanted; inference.py is what there is without gradients
//     handed.py        instead of these, if no autograd stands in front of the backend
//     repro.py         the captured graph with the inputs of its first call, and store/ for large ones
//     timings.json     {"graph": "net_0_captured",
//                       "seconds": {"capture": ..., "guard_check": ..., "autograd": ..., "compile": ...},
//                       "compiled": [{"graph": "net_0_forward", "file": "forward.py", "seconds": ...}, ...]}
//
// The second of a kind is called forward_2.py; what comes again with inputs that look the same is not written
// again, since checks of the watcher compile everything twice. A file is there before the compiler runs, in
// case that does not return; seconds that are not known yet are null.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/result.h"
#include "repro/header/header.h"
#include "repro/run_folder.h"
#include "store/content_hash.h"

namespace culprit::watch {

/// What is known when a captured graph is about to be compiled.
struct CapturedGraph {
  graph::Graph graph;
  backend::Values inputs;
  /// One line each.
  std::vector<std::string> conditions;
  double capture_seconds = 0;
  double guard_seconds = 0;
};

class DebugFolder {
 public:
  /// `directory` is made if it does not exist. The folder has the name behind the time.
  static base::Result<DebugFolder> Create(const std::string& directory, const std::string& graph_name,
                                          const std::string& folder_name);

  const std::string& path() const { return folder_.path(); }

  // All of these write what they can, and give the first error.

  /// `how` it is compiled and run.
  base::Status WriteCaptured(const CapturedGraph& captured, const repro::Header& how);
  /// A graph that the compiler is about to get.
  base::Status WriteHanded(const graph::Graph& graph, const backend::Values& inputs,
                           const repro::Header& how);
  /// What the compiler shows of its work on that graph: files in a folder with the graph's name. A graph that
  /// was handed before has left its own already.
  base::Status WriteInsight(const std::string& name, const std::string& text);
  /// The compiler is done with the newest graph of that name, if that was new.
  base::Status NoteCompiled(const std::string& graph_name, double seconds);
  /// How long it took to make the first graphs for the compiler.
  base::Status NoteAutograd(double seconds);

 private:
  struct Handed {
    std::string graph;
    std::string file;
    /// Of the text without its header.
    store::ContentHash hash;
    std::optional<double> seconds = std::nullopt;
  };

  explicit DebugFolder(repro::RunFolder folder, std::string graph_name)
      : folder_(std::move(folder)), graph_name_(std::move(graph_name)) {}

  /// The name of a file, without its ending, that is not there yet.
  std::string FreeName(const std::string& kind) const;
  base::Status WriteTimings() const;

  repro::RunFolder folder_;
  std::string graph_name_;
  std::optional<double> capture_seconds_;
  std::optional<double> guard_seconds_;
  std::optional<double> autograd_seconds_;
  std::vector<Handed> handed_;
};

}  // namespace culprit::watch
