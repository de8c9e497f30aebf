// SPDX-License-Identifier: Apache-2.0
//
// What there is to tell about a captured model, as plain data: it travels from the process that captured it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace culprit::explain {

/// Where a graph ends, and why.
struct ExplainedBreak {
  std::string code;
  std::string name;
  std::string reason;
  std::string hint;
  std::string file;
  uint32_t line = 0;
  std::string function;
  std::string source;
};

struct ExplainedGuard {
  std::string text;
  /// Those about modules and their code are many, and mostly what everybody expects.
  bool is_about_module = false;
};

/// A stretch of the program. One without operators is no graph.
struct ExplainedSegment {
  std::string name;
  size_t operators = 0;
  size_t inputs = 0;
  size_t parameters = 0;
  size_t buffers = 0;
  size_t outputs = 0;
  std::optional<ExplainedBreak> end = std::nullopt;
  /// The settings of libtorch under which it holds.
  std::string modes = {};
  std::vector<ExplainedGuard> guards = {};
  /// Guards and modes together, one sentence each.
  std::vector<std::string> conditions = {};
  std::vector<std::string> size_conditions = {};
  /// What each symbol is: {"s0": ["x.size(0)", "y.size(0)"]}.
  std::map<std::string, std::vector<std::string>> symbols = {};
  std::vector<std::string> fixed_sizes = {};
  /// Operators without a rule for tensors without memory, and how often each was computed on zeros.
  std::map<std::string, int64_t> fallbacks = {};
  size_t inlined_calls = 0;
  double capture_seconds = 0;
  double compile_seconds = 0;
  double guard_seconds = 0;

  bool is_graph() const { return operators > 0; }
};

struct ExplainedSaved {
  std::string name;
  std::string why;
  int64_t bytes = 0;
};

/// One of the graphs that autograd makes.
struct ExplainedHalf {
  std::string name;
  size_t operators = 0;
  size_t inputs = 0;
  size_t outputs = 0;
  std::string code;
};

/// What autograd makes of a captured graph.
struct ExplainedJoint {
  std::string name;
  /// Why there is no joint graph; empty if there is one.
  std::string reason = {};
  double seconds = 0;
  size_t operators = 0;
  size_t tangents = 0;
  std::map<std::string, int64_t> fallbacks = {};
  ExplainedHalf forward = {};
  /// Nothing if no output has a gradient.
  std::optional<ExplainedHalf> backward = std::nullopt;
  std::vector<ExplainedSaved> saved = {};
  int64_t saved_bytes = 0;
  /// What is saved between the two, in words.
  std::string partition = {};
};

struct Explanation {
  /// "resnet18" of "models/resnet18.pt".
  std::string name;
  std::string method;
  std::vector<ExplainedSegment> segments = {};
  std::vector<ExplainedJoint> joints = {};
  /// Repros that were written, in the order of the program.
  std::vector<std::string> files = {};
  size_t recaptures = 0;
  size_t as_written = 0;
  /// Why something was captured again, and the instructions if they were asked for.
  std::vector<std::string> log = {};
  /// What the program threw, or why it is not the one graph that it has to be.
  std::optional<base::Diagnostic> failure = std::nullopt;
};

}  // namespace culprit::explain
