// SPDX-License-Identifier: Apache-2.0
//
// Hears how a hunt goes, and may stop it. The caller of Hunt() provides one; every function may be left as it is.
#pragma once

#include <string>
#include <string_view>

#include "check/question/question.h"

namespace culprit::hunt {

struct HuntedGraph;

/// How far a search is.
struct Progress {
  size_t operators_before = 0;
  size_t operators = 0;
  /// With those before an interruption.
  size_t questions = 0;
  std::string_view strategy;
};

class Listener {
 public:
  virtual ~Listener() = default;

  /// What goes on from now on, such as "opening net.py". Empty: nothing does. Then the listener must not have
  /// a thread, since the hunt may fork.
  virtual void OnPhase(const std::string& /*what*/) {}
  virtual void OnProgress(const Progress& /*progress*/) {}
  /// A note or a warning, without a line break at the end.
  virtual void OnNote(const std::string& /*text*/) {}
  /// What the model printed while it was captured.
  virtual void OnModelOutput(const std::string& /*text*/) {}
  /// One of `count` graphs is looked at; quickly if a failure was found before.
  virtual void OnGraph(const std::string& /*name*/, size_t /*number*/, size_t /*count*/, bool /*quickly*/) {}
  virtual void OnGraphDone(const HuntedGraph& /*graph*/, bool /*quickly*/) {}
  /// It fails, and is made smaller in this folder.
  virtual void OnFailure(const check::Character& /*character*/, const std::string& /*folder*/) {}
  /// Which command goes on with the run in this folder, whatever happens to this process.
  virtual void OnRun(const std::string& /*folder*/, const std::string& /*resume_command*/) {}

  /// Whether the user wants to stop.
  virtual bool stop() const { return false; }
};

}  // namespace culprit::hunt
