// SPDX-License-Identifier: Apache-2.0
//
// Turns a written call (a dotted name and arguments) into nodes of the graph: finds the operator, binds the
// arguments, and expands operators that libtorch lacks through the table of translations.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "graph/ir/bind.h"
#include "graph/ir/graph.h"
#include "graph/text/calls/name_scope.h"
#include "graph/translate/table.h"

namespace culprit::graph::text {

class CallBuilder {
 public:
  /// `for_cpu`: operators that have kernels for CUDA only are translated too.
  explicit CallBuilder(Graph& graph, bool for_cpu = false) : graph_(graph), for_cpu_(for_cpu) {}

  /// `callee` as written: torch.ops.aten.add.Tensor, aten.add.Tensor, torch.ops.aten.add (any overload that
  /// fits). Errors have no place; `failed_at` is as in BindArguments.
  base::Result<Binding> Call(std::string_view callee, const WrittenArguments& arguments,
                             std::optional<size_t>* failed_at);

  /// What is wrong with the name, whatever the arguments are; nothing if there is such an operator.
  std::optional<base::Diagnostic> UnknownCallee(std::string_view callee) { return Resolve(callee).error; }

  /// The one operator that a name with its overload stands for.
  base::Result<const Operator*> OperatorNamed(std::string_view callee);

  /// A builtin on ints or floats; folded when all arguments are constants.
  base::Result<Binding> CallBuiltin(std::string_view builtin, const std::vector<Argument>& arguments);

  /// Placeholders of which the script does not say that they are tensors: they become ints when used as such.
  void MayBeInt(ValueId placeholder) { undetermined_.insert(placeholder); }

  Graph& graph() { return graph_; }

 private:
  // What a dotted name stands for.
  struct Callee {
    // In order of preference: the one overload that is named, or all that exist.
    std::vector<const Operator*> operators;
    // The rows of the table for it, in order: those that are taken although libtorch accepts the call
    // (collectives, what only CUDA has), and those that are taken if it does not.
    std::vector<const translate::Translation*> first_rows;
    const translate::FunctionTranslation* first_function = nullptr;
    std::vector<const translate::Translation*> translations;
    const translate::FunctionTranslation* function = nullptr;
    std::optional<base::Diagnostic> error;
  };

  const Callee& Resolve(std::string_view callee);
  Callee Lookup(std::string_view callee) const;
  /// What the first row that holds, or the function, makes of the call; nothing if there is none. Calls in a
  /// translation are not translated again.
  base::Result<std::optional<Binding>> Translate(const std::vector<const translate::Translation*>& rows,
                                                 const translate::FunctionTranslation* function,
                                                 const WrittenArguments& arguments);
  base::Result<Binding> AddCall(const Operator& op, WrittenArguments arguments,
                                std::optional<size_t>* failed_at);
  /// The arguments are bound already; the results get their names later.
  Binding AddNode(const Operator& op, std::vector<Argument> bound);
  /// Turns undetermined placeholders in the argument into ints; false if there are none.
  bool MakeInts(const Argument& argument);

  Graph& graph_;
  bool for_cpu_;
  bool translating_ = false;
  std::unordered_map<std::string, Callee> callees_;
  std::unordered_set<ValueId> undetermined_;
};

}  // namespace culprit::graph::text
