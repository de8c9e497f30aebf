// SPDX-License-Identifier: Apache-2.0
//
// Below autograd, batch norm in training writes into copies of its running statistics:
//
//   m1 = clone(m); v1 = clone(v)
//   y, mean, invstd = native_batch_norm(x, w, b, m1, v1, True, momentum, eps)
//
// Here they become results of their own, and nothing is written:
//
//   y, mean, invstd = native_batch_norm(x, w, b, None, None, True, momentum, eps)
//   _, variance = batch_norm_update_stats(x, None, None, momentum)
//   m1 = m * (1 - momentum) + mean * momentum
//   v1 = v * (1 - momentum) + variance * n / (n - 1) * momentum, for n elements per channel
//
// The sums of both calls are the same loops. (1 / invstd^2 - eps would be the variance too, but where eps is
// large beside it, few of its digits are left.)
#include "compiler/passes/rewriter.h"

namespace culprit::compiler::passes {
namespace {

using c10::IValue;
using graph::Argument;
using graph::Node;
using graph::NodeId;
using graph::ValueId;

constexpr size_t kInput = 0;
constexpr size_t kRunningMean = 3;
constexpr size_t kRunningVar = 4;
constexpr size_t kTraining = 5;
constexpr size_t kMomentum = 6;

Argument Number(double number) {
  return Argument(IValue(number));
}
Argument Integer(int64_t integer) {
  return Argument(IValue(integer));
}

/// A view might be written into.
bool MayAlias(const Node& node) {
  for (size_t result = 0; result < node.results.size(); ++result)
    for (size_t i = 0; i < node.arguments.size(); ++i)
      if (node.op->may_alias(result, i)) return true;
  return false;
}

/// The clone that the argument is, if nobody else writes into it, and nobody has seen it before.
const Node* PrivateCopy(const Rewriter& rewriter, NodeId batch_norm, const Argument& argument) {
  if (!argument.is_value() || rewriter.UsersOf(argument.value()).front() != batch_norm) return nullptr;
  for (const NodeId user : rewriter.UsersOf(argument.value())) {
    const Node& node = rewriter.source().node(user);
    if (user != batch_norm && (node.op->writes_any() || MayAlias(node))) return nullptr;
  }
  const Node* producer = rewriter.ProducerOf(argument.value());
  return producer != nullptr && producer->op->qualified_name() == "aten::clone" ? producer : nullptr;
}

/// old * (1 - momentum) + now * momentum, like the old one, in the place of the copy.
void AddUpdate(Rewriter& rewriter, const Node& copy, const Argument& now, double momentum,
               const Node& origin) {
  const std::string& name = rewriter.source().value(copy.results[0]).name;
  const Argument old = rewriter.rebuild().Map(copy.arguments[0]);
  const Argument kept = rewriter.Add("aten::mul.Tensor", {old, Number(1 - momentum)}, name, origin);
  const Argument updated = rewriter.Add("aten::add.Tensor", {kept, now, Number(momentum)}, name, origin);
  rewriter.AddInPlaceOf(copy.results[0], "aten::copy", {old, updated, Argument(IValue(false))}, origin);
}

/// variance * n / (n - 1), like the old one, which may have more digits than the input.
Argument AddVariance(Rewriter& rewriter, const Node& node, const Node& copy) {
  const std::string& name = rewriter.source().value(copy.results[0]).name;
  const auto add = [&](std::string_view op, std::vector<Argument> arguments) {
    return rewriter.Add(op, std::move(arguments), name, node);
  };
  const Argument input = rewriter.rebuild().Map(node.arguments[kInput]);
  const std::vector<ValueId> statistics =
      rewriter.AddAll("aten::batch_norm_update_stats",
                      {input, Argument(), Argument(), node.arguments[kMomentum]}, name, node);
  const Argument biased =
      add("aten::copy", {rewriter.rebuild().Map(copy.arguments[0]), statistics[1], Argument(IValue(false))});
  const Argument elements = add("aten::sym_numel", {input});
  const Argument channels = add("aten::sym_size.int", {input, Integer(1)});
  const Argument count = add("python::floordiv.int", {elements, channels});
  const Argument less = add("python::sub.int", {count, Integer(1)});
  return add("aten::div.Tensor", {add("aten::mul.Tensor", {biased, count}), less});
}

void AddBatchNorm(Rewriter& rewriter, const Node& node, const Node& mean, const Node& variance) {
  std::vector<Argument> arguments;
  for (const Argument& argument : node.arguments) arguments.push_back(argument);
  arguments[kRunningMean] = Argument();
  arguments[kRunningVar] = Argument();
  for (Argument& argument : arguments) argument = rewriter.rebuild().Map(argument);
  rewriter.rebuild().CopyNode(node, std::move(arguments));
  const double momentum = node.arguments[kMomentum].constant().toDouble();
  AddUpdate(rewriter, mean, rewriter.rebuild().Map(Argument(node.results[1])), momentum, node);
  AddUpdate(rewriter, variance, AddVariance(rewriter, node, variance), momentum, node);
}

}  // namespace

std::optional<Replacement> RewriteBatchNorm(const Rewriter& rewriter, NodeId id) {
  const Node& node = rewriter.source().node(id);
  const Argument& training = node.arguments[kTraining];
  if (!training.is_constant() || !training.constant().toBool()) return std::nullopt;
  if (!node.arguments[kMomentum].is_constant()) return std::nullopt;
  const Node* mean = PrivateCopy(rewriter, id, node.arguments[kRunningMean]);
  const Node* variance = PrivateCopy(rewriter, id, node.arguments[kRunningVar]);
  if (mean == nullptr || variance == nullptr || mean == variance) return std::nullopt;
  const auto place = [&](const Node* copy) {
    return NodeId{rewriter.source().value(copy->results[0]).origin_index};
  };
  return Replacement{{place(mean), place(variance)}, [&node, mean, variance](Rewriter& target) {
                       AddBatchNorm(target, node, *mean, *variance);
                     }};
}

}  // namespace culprit::compiler::passes
