// SPDX-License-Identifier: Apache-2.0
//
// Graphs with operators to blame in them, and the question whether they are still there: for minifiers that
// are compared with each other. bench/functorch_minifier.py asks the same in Python.
//
//   one       a live erf
//   pair      a live atan of the result of an erf
//   far       a live erf, at a tenth of the graph, and a live atan, at nine tenths
//   numbers   the results change when every erf is taken times 1.5
//
// The models and the chains have neither operator by themselves. Live means that an output depends on it.
#pragma once

#include <string>
#include <string_view>

#include "graph/text/script/script.h"
#include "minify/failure_check.h"

namespace culprit::bench {

enum class Oracle : uint8_t { kOne, kPair, kFar, kNumbers };
constexpr std::string_view NameOf(Oracle oracle) {
  constexpr std::string_view kNames[] = {"one", "pair", "far", "numbers"};
  return kNames[static_cast<size_t>(oracle)];
}

inline constexpr const char* kModels[] = {"resnet18", "mobilenet_v2", "densenet121", "vit_b_16",
                                          "transformer12"};

/// Of tests/fixtures: "models/resnet18".
graph::text::Script ReadScriptOf(const std::string& fixture);

/// Cheap operators, each on the result of the one before; with skips every fifth takes the mean of that and
/// of what was 20 operators before.
graph::text::Script Chain(size_t operators, bool with_skips);

minify::Program ProgramOf(const graph::text::Script& script);

/// With the operators to blame put in.
graph::text::Script Marked(const graph::text::Script& script, Oracle oracle);

/// Answers in this process, and measures how long that takes.
class MarkerCheck : public minify::FailureCheck {
 public:
  explicit MarkerCheck(Oracle oracle) : oracle_(oracle) {}

  minify::Reply Ask(const minify::Program& program) override;

  double seconds() const { return seconds_; }

 private:
  Oracle oracle_;
  double seconds_ = 0;
};

}  // namespace culprit::bench
