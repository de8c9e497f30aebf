// SPDX-License-Identifier: Apache-2.0
//
// A backend compiles graphs: a graph and inputs go in, something that can be called comes out.
//
//   kind       describes itself, and becomes a backend with a configuration     backends/table.h lists them
//   backend    a configured compiler                                            compiles any number of graphs
//   compiled   one graph; may change itself from call to call                   called any number of times
//
// A compiler may do anything: throw whatever it likes, crash, hang. Its caller (check/) expects that,
// so nothing is caught here.
#pragma once

#include <ATen/core/ivalue.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/configuration.h"
#include "backend/description.h"
#include "backend/parameters.h"
#include "base/result.h"
#include "graph/ir/graph.h"
#include "graph/run/interruption.h"

namespace culprit::backend {

using Values = std::vector<c10::IValue>;

class Compiled {
 public:
  virtual ~Compiled() = default;

  /// One value per placeholder of the compiled graph, those that are frozen included (a backend may ignore
  /// them); one per output comes back. Boxed: the list belongs to the callee, which may clear it to free
  /// inputs early. Throws what it likes.
  virtual Values Call(Values& inputs) = 0;

  /// As Call; if that throws, and the backend knows where, `interruption` says so.
  virtual Values CallReporting(Values& inputs, std::optional<graph::Interruption>& /*interruption*/) {
    return Call(inputs);
  }

  /// Whether several threads may call it at a time.
  virtual bool is_thread_safe() const { return false; }
};

/// A program in the words of a compiler's users, which was tried in a process of its own.
struct PlainProgram {
  /// Empty if it cannot be written so.
  std::string text;
  /// As it is expected to.
  bool fails_so = false;
  /// How it ended, or why there is none, in one line.
  std::string said;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual Parameters parameters() const { return Parameters::kLifted; }

  /// Whether gradients flow through what it compiles.
  virtual bool gives_gradients() const { return true; }

  /// Whether sizes that have symbols (graph::Placeholder) may be others at a call than they were when it was
  /// compiled.
  virtual bool takes_symbols() const { return true; }

  /// Whether random operators draw the numbers that eager draws from the same state of the generator.
  virtual bool draws_as_eager() const { return true; }

  /// Eager of the environment that the compiler runs in, if the user has named that: it is what the compiler
  /// is compared with. Nothing: this process's own eager is.
  virtual std::unique_ptr<Backend> EagerElsewhere() const { return nullptr; }

  /// How many calls it takes until the compiler has done all it does: some begin to optimise at a later one.
  virtual int calls() const { return 1; }

  /// Python code, without Culprit, in which a function `compiled` gives what this compiler makes of the
  /// program (repro/python_text.h); nothing if Python cannot call it. With kAfterAutograd, autograd stands in
  /// front of the compiler there, too.
  virtual std::optional<std::string> InPython(const graph::Graph& /*graph*/, const Values& /*inputs*/,
                                              Graphs /*graphs*/) const {
    return std::nullopt;
  }

  /// `script` is a repro, printed by Culprit, which no stranger has touched: Python runs it. `expected` is
  /// the failure as JSON. Nothing if the compiler has no users who write Python.
  virtual std::optional<PlainProgram> InPlainCalls(const std::string& /*script*/,
                                                   const std::string& /*expected*/) const {
    return std::nullopt;
  }

  /// The graph is valid (graph/ir/verify.h) and the compiler's own copy. Inputs may be fake: only what is
  /// said about a tensor may be used of lifted ones, not its numbers. Throws what it likes.
  virtual std::unique_ptr<Compiled> Compile(graph::Graph graph, const Values& inputs) = 0;
};

class Kind {
 public:
  virtual ~Kind() = default;
  virtual const Description& description() const = 0;
  virtual base::Result<std::unique_ptr<Backend>> Open(const Configuration& configuration) const = 0;
};

}  // namespace culprit::backend
