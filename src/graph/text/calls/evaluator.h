// SPDX-License-Identifier: Apache-2.0
//
// Evaluates the expressions of a graph's body: calls become nodes, names what they stand for, the rest
// constants.
//
// An error without a message says that a name is used whose own statement was an error already.
#pragma once

#include "base/result.h"
#include "graph/text/calls/call_builder.h"
#include "graph/text/calls/functionalized_call.h"
#include "graph/text/calls/name_scope.h"
#include "graph/text/syntax/expression.h"

namespace culprit::graph::text {

class Evaluator {
 public:
  Evaluator(const Source& source, const ExpressionArena& arena, const NameScope& scope, CallBuilder& calls)
      : source_(source), arena_(arena), scope_(scope), calls_(calls) {}

  base::Result<Binding> Evaluate(ExpressionId id);
  /// As Evaluate, where exactly one argument is needed.
  base::Result<Argument> EvaluateSingle(ExpressionId id);

 private:
  base::Result<Binding> Name(const Expression& expression);
  base::Result<Binding> List(const Expression& expression);
  base::Result<Binding> Subscript(const Expression& expression);
  base::Result<Binding> Call(ExpressionId id);
  /// A call of `callee` with the arguments of `call` from number `first` on, without the keyword `dropped`.
  base::Result<Binding> CallOperator(const Expression& callee, const Expression& call, uint32_t first,
                                     std::string_view dropped = {});
  base::Result<WrittenArguments> ArgumentsOf(const Expression& call, uint32_t first,
                                             std::string_view dropped = {});
  base::Result<Binding> CallWithState(const Expression& call);
  base::Result<Binding> CallWrapped(WrappedCall kind, const Expression& call);
  /// The name of the operator that this argument of a higher-order one is.
  base::Result<std::string_view> OperatorAmong(const Expression& call, uint32_t argument) const;
  /// Those of torch.export around its inputs and outputs, which are as flat as those of every graph.
  base::Result<std::optional<Binding>> CallOfTree(const Expression& call);
  base::Result<Binding> Builtin(std::string_view builtin, const Expression& expression,
                                uint32_t first_operand);
  bool IsMember(std::string_view dotted) const;
  std::optional<base::Diagnostic> RefuseCallee(const Expression& call) const;
  base::Diagnostic At(size_t offset, base::Diagnostic error) const;

  const Source& source_;
  const ExpressionArena& arena_;
  const NameScope& scope_;
  CallBuilder& calls_;
};

}  // namespace culprit::graph::text
