// SPDX-License-Identifier: Apache-2.0
//
// Prints how a hunt goes, and tells it when the user wants to stop.
#pragma once

#include <optional>

#include "cli/show/progress_line.h"
#include "hunt/request/listener.h"

namespace culprit::cli {

class HuntListener : public hunt::Listener {
 public:
  explicit HuntListener(bool json) : json_(json) {}

  void OnPhase(const std::string& what) override;
  void OnProgress(const hunt::Progress& progress) override;
  void OnNote(const std::string& text) override;
  void OnModelOutput(const std::string& text) override;
  void OnGraph(const std::string& name, size_t number, size_t count, bool quickly) override;
  void OnGraphDone(const hunt::HuntedGraph& graph, bool quickly) override;
  void OnFailure(const check::Character& character, const std::string& folder) override;
  void OnRun(const std::string& folder, const std::string& resume_command) override;
  bool stop() const override;

 private:
  ProgressLine& progress();

  bool json_;
  /// It has a thread, so there is none while nothing goes on.
  std::optional<ProgressLine> progress_;
  /// Most files open at once: only what comes later is worth a line after a second.
  std::chrono::seconds patience_ = kMorePatience;
};

}  // namespace culprit::cli
