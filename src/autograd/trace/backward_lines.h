// SPDX-License-Identifier: Apache-2.0
//
// Which line of a model a backward operator comes from: that of the forward operator whose gradient it
// computes. Autograd numbers its functions in the order in which they were made.
#pragma once

#include <ATen/record_function.h>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "graph/ir/graph.h"

namespace culprit::autograd {

class BackwardLines {
 public:
  /// Functions that are made from now on come from this line.
  void Begin(graph::ModelLine line);

  /// While it lives, every function that autograd calls in this thread tells when it begins and ends.
  class Scope {
   public:
    /// Hears the line when a function begins, and nothing when it ends.
    using Listener = std::function<void(std::optional<graph::ModelLine>)>;
    Scope(const BackwardLines& lines, Listener listener);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    static std::unique_ptr<at::ObserverContext> Begin(const at::RecordFunction& function);
    static void End(const at::RecordFunction& function, at::ObserverContext* context);

    static thread_local Scope* current_;
    const BackwardLines& lines_;
    Listener listener_;
    Scope* outer_;
    at::CallbackHandle handle_;
  };

 private:
  graph::ModelLine LineOf(uint64_t number) const;

  /// The first number of each line, ascending.
  std::vector<std::pair<uint64_t, graph::ModelLine>> firsts_;
};

}  // namespace culprit::autograd
