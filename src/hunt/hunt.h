// SPDX-License-Identifier: Apache-2.0
//
// The main job: does a compiler fail on a program, and what is the smallest program on which it fails in the
// same way?
//
//   open          the file, in a child with limits first; a model is captured into graphs
//   characterise  does it fail, how, and how often?
//   plan          which strategies, what each operator costs; a run folder
//   search        smaller and smaller programs; each answer is on disk before the next question
//   take back     until a program fails again, alone, in a fresh process
//   report        how wrong, which operators, which switch helps; summary.md
//
// It forks, so call it early: before this process computes anything in parallel. The fresh process of a proof is this
// program, started with the word `worker`: a program that calls this hands that word to tasks::AnswerOneRequest
// (tests/hunt/embedded_hunt_test.cc is one).
#pragma once

#include "base/result.h"
#include "hunt/graph_series.h"
#include "hunt/request/hunt_request.h"
#include "hunt/request/listener.h"

namespace culprit::hunt {

struct HuntResult {
  /// Those that were looked at; of a script its one graph.
  std::vector<HuntedGraph> graphs;
  /// All graphs of the program.
  size_t count = 1;
  /// The model threw: graphs behind that are not known.
  bool is_cut_off = false;
};

base::Result<HuntResult> Hunt(const HuntRequest& request, Listener& listener);

}  // namespace culprit::hunt
