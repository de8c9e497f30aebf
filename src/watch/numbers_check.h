// SPDX-License-Identifier: Apache-2.0
//
// Level 4: does what was compiled compute what the untouched graph computes? The graph runs first, on the
// same inputs; then what was compiled, for real; then the two are compared. Only if they are not close is it
// asked in full (check/verdict/same_two_models.h), with float64 and noise, so that a call that is right costs
// one run of the graph.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "check/verdict/same_two_models.h"
#include "watch/subject/kept_inputs.h"
#include "watch/subject/watched_graph.h"

namespace culprit::watch {

class NumbersCheck {
 public:
  /// Runs the graph. If it fails there is nothing to compare with, and Compare says so.
  NumbersCheck(const WatchedGraph& subject, const KeptInputs& kept);

  /// Whether it did.
  bool graph_runs() const { return outputs_.has_value(); }

  /// The inputs that the call has written into although the graph does not, whether it says so or not.
  std::vector<size_t> Spoilt() const { return hashes_.Changed(); }

  /// Of the call on these inputs: what differs, what was thrown, or why nobody can tell; nothing if it is
  /// right, or if other threads have disturbed it. `run` is the state of the program before the call.
  std::optional<check::CheckResult> Compare(const backend::Values& outputs,
                                            const repro::RunSettings& run) const;

  /// Whether it was the call that wrote into this input, and not another thread: what was compiled is called
  /// once more, on clones in which the input is zero.
  bool Writes(backend::Compiled& compiled, size_t input) const;

  /// As Compare, with gradients: what was compiled is called once more, forward and backward. What is watched
  /// below looks on unless it is off; what it reports is thrown. `announce` hears of the phases
  /// (check/run/run_model.h).
  std::optional<check::CheckResult> CompareGradients(
      backend::Compiled& compiled, const repro::RunSettings& run,
      const std::function<void(std::string_view)>& announce) const;

 private:
  bool IsClose(const backend::Values& outputs) const;
  check::CheckOptions OptionsFor(const repro::RunSettings& run) const;

  const WatchedGraph& subject_;
  const KeptInputs& kept_;
  const MemoryHashes hashes_;
  /// Of the graph; nothing if it fails, with the reason.
  std::optional<backend::Values> outputs_;
  std::string why_not_;
  /// Of the generator behind the graph, if it draws random numbers.
  at::Tensor generator_;
  /// The inputs that it was given.
  backend::Values inputs_;
};

}  // namespace culprit::watch
