// SPDX-License-Identifier: Apache-2.0
#include "graph/text/calls/higher_order.h"

#include <fmt/format.h>

#include "base/text.h"

namespace culprit::graph::text {
namespace {

using base::Diagnostic;

std::string_view LastPart(std::string_view dotted) {
  return dotted.substr(dotted.rfind('.') + 1);
}

struct Reason {
  std::string_view op;
  std::string_view note;
};

constexpr std::string_view kKernel = "its kernel is Python code that the file does not hold";
constexpr std::string_view kGraphs = "it calls graphs, which are not part of this one";

constexpr Reason kReasons[] = {
    {"triton_kernel_wrapper_functional", kKernel},
    {"triton_kernel_wrapper_mutation", kKernel},
    {"cond", kGraphs},
    {"while_loop", kGraphs},
    {"map", kGraphs},
    {"map_impl", kGraphs},
    {"scan", kGraphs},
    {"associative_scan", kGraphs},
    {"invoke_subgraph", kGraphs},
    {"invoke_quant", kGraphs},
    {"flex_attention", kGraphs},
    {"flex_attention_backward", kGraphs},
    {"wrap_with_set_grad_enabled", kGraphs},
    {"wrap_with_autocast", kGraphs},
    {"tag_activation_checkpoint", kGraphs},
    {"call_torchbind", "it calls a method of an object that the file does not hold"},
};

bool TakesOperators(const ExpressionArena& arena, const Expression& call) {
  for (uint32_t i = 1; i < call.child_count; ++i) {
    const Expression& argument = arena.ChildOf(call, i);
    if (argument.kind == ExpressionKind::kName && argument.text.starts_with("torch.ops.")) return true;
  }
  return false;
}

}  // namespace

std::optional<CallWithRandomState> FindCallWithRandomState(std::string_view function) {
  const std::string_view name = LastPart(function);
  if (name == "graphsafe_run_with_rng_state") return CallWithRandomState{};
  if (name == "run_with_rng_state") return CallWithRandomState{.op = 1};
  if (name == "run_and_save_rng_state") return CallWithRandomState{.returns_state = true};
  return std::nullopt;
}

std::optional<Diagnostic> RefuseHigherOrder(const ExpressionArena& arena, const Expression& call) {
  const Expression& callee = arena.ChildOf(call, 0);
  const std::string_view name = LastPart(callee.text);
  const bool is_marked = callee.text.starts_with("torch.ops.higher_order.") || TakesOperators(arena, call);
  if (!is_marked) return std::nullopt;
  Diagnostic error{
      {}, fmt::format("'{}' is a higher-order operator, which is not supported", base::Printable(name))};
  std::string_view note = "higher-order operators take operators or graphs as arguments";
  for (const Reason& reason : kReasons) {
    if (reason.op == name) note = reason.note;
  }
  error.notes.emplace_back(note);
  error.help =
      "make its results parameters of forward, and say in load_args what they look like: what stands behind "
      "it "
      "can then be run";
  return error;
}

}  // namespace culprit::graph::text
