// SPDX-License-Identifier: Apache-2.0
#include "bench/marked_graph.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <fmt/format.h>

#include "bench/in_turn.h"
#include "graph/inputs/make_inputs.h"
#include "graph/ir/bind.h"
#include "graph/ir/fresh_names.h"
#include "graph/ir/rebuild.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/tensor_copy.h"
#include "tests/lib/splice.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::bench {
namespace {

using graph::Argument;
using graph::Graph;
using graph::Node;
using graph::ValueId;
using graph::text::Script;
using minify::Program;
using Values = std::vector<c10::IValue>;

constexpr std::string_view kErf = "aten::erf";
constexpr std::string_view kAtan = "aten::atan";

/// Adds calls to a graph while it is copied.
class Insertion {
 public:
  explicit Insertion(const Graph& graph) : graph_(graph), rebuild_(graph), names_(graph) {
    rebuild_.CopyPlaceholders();
    rebuild_.CopyConstants();
  }

  /// `behind` may call InFrontOfUses.
  Graph Make(const auto& behind) {
    for (size_t i = 0; i < graph_.nodes().size(); ++i) {
      rebuild_.CopyNode(graph_.nodes()[i]);
      behind(i, graph_.nodes()[i]);
    }
    rebuild_.CopyOutputs();
    return std::move(rebuild_).Take();
  }

  /// From here on the value is what the operator makes of it.
  void InFrontOfUses(ValueId value, std::string_view op_name, std::vector<Argument> more = {}) {
    const graph::Operator& op = graph::Operator::Get(op_name);
    more.insert(more.begin(), rebuild_.Map(value));
    auto arguments = graph::BindArguments(rebuild_.graph(), op, {std::move(more), {}});
    const std::string name = names_.Derive("marked");
    rebuild_.Replace(value, rebuild_.graph().AddNode(op, *std::move(arguments), {name}).results[0]);
  }

 private:
  const Graph& graph_;
  graph::Rebuild rebuild_;
  graph::FreshNames names_;
};

std::vector<bool> LiveNodes(const Graph& graph) {
  std::vector<bool> live(graph.nodes().size());
  const auto mark = [&](ValueId id) {
    const graph::Value& value = graph.value(id);
    if (value.origin == graph::Origin::kNode) live[value.origin_index] = true;
  };
  for (const Argument& output : graph.outputs()) ForEachValue(output, mark);
  for (size_t i = graph.nodes().size(); i-- > 0;) {
    if (!live[i]) continue;
    for (const Argument& argument : graph.nodes()[i].arguments) ForEachValue(argument, mark);
  }
  return live;
}

bool HasMarkers(const Graph& graph, Oracle oracle) {
  const std::vector<bool> live = LiveNodes(graph);
  bool erf = false;
  bool atan = false;
  bool pair = false;
  for (size_t i = 0; i < live.size(); ++i) {
    if (!live[i]) continue;
    const Node& node = graph.nodes()[i];
    erf = erf || node.op->name() == kErf;
    if (node.op->name() != kAtan) continue;
    atan = true;
    const graph::Value& operand = graph.value(node.arguments[0].value());
    pair = pair ||
           (operand.origin == graph::Origin::kNode && graph.nodes()[operand.origin_index].op->name() == kErf);
  }
  if (oracle == Oracle::kPair) return pair;
  return erf && (oracle == Oracle::kOne || atan);
}

Graph WithWrongErf(const Graph& graph) {
  Insertion insertion(graph);
  return insertion.Make([&](size_t, const Node& node) {
    if (node.op->name() == kErf)
      insertion.InFrontOfUses(node.results[0], "aten::mul.Tensor", {Argument(c10::IValue(1.5))});
  });
}

std::vector<size_t> WrongOutputs(const Program& program) {
  const at::NoGradGuard no_grad;
  const Values right = graph::Interpreter(program.graph).Run(graph::CopyAll(program.inputs));
  const Values wrong = graph::Interpreter(WithWrongErf(program.graph)).Run(graph::CopyAll(program.inputs));
  std::vector<size_t> outputs;
  for (size_t i = 0; i < right.size(); ++i) {
    const bool differs =
        right[i].isTensor() && !at::allclose(right[i].toTensor(), wrong[i].toTensor(), 1e-4, 1e-6, true);
    if (differs) outputs.push_back(i);
  }
  return outputs;
}

}  // namespace

Script ReadScriptOf(const std::string& fixture) {
  const std::string path = CULPRIT_SOURCE_FOLDER "/tests/fixtures/" + fixture + ".py";
  return *graph::text::ReadScript(path, tests::ReadWholeFile(path), {.which = 1});
}

Script Chain(size_t operators, bool with_skips) {
  std::string text =
      "class Repro(torch.nn.Module):\n    def forward(self, x):\n        v0 = "
      "torch.ops.aten.neg.default(x)\n";
  for (size_t i = 1; i < operators; ++i) {
    if (with_skips && i % 5 == 0 && i >= 20) {
      text += fmt::format("        v{} = torch.ops.aten.lerp.Scalar(v{}, v{}, 0.5)\n", i, i - 1, i - 20);
    } else if (i % 2 == 0) {
      text += fmt::format("        v{} = torch.ops.aten.neg.default(v{})\n", i, i - 1);
    } else {
      text += fmt::format("        v{} = torch.ops.aten.add.Tensor(v{}, x)\n", i, i - 1);
    }
  }
  text += fmt::format("        return (v{},)\n\n", operators - 1);
  text +=
      "def load_args(reader):\n"
      "    buf0 = fill(reader.storage(None, 64), torch.randn(16, dtype=torch.float32, generator=seeded(1)))\n"
      "    reader.tensor(buf0, (4, 4), is_leaf=True)\n"
      "load_args._version = 0\n";
  return *graph::text::ReadScript("chain.py", text);
}

Program ProgramOf(const Script& script) {
  return {script.graph, graph::inputs::MakeInputs(*script.inputs)->values};
}

Script Marked(const Script& script, Oracle oracle) {
  const Program program = ProgramOf(script);
  const size_t count = script.graph.nodes().size();
  const bool far = oracle == Oracle::kFar;
  const size_t first = tests::NodeWithRoom(program, far ? count / 10 : count * 2 / 5, 1);
  const size_t last = tests::NodeWithRoom(program, far ? count * 9 / 10 : first, 1);
  Insertion insertion(script.graph);
  Script marked{.graph = insertion.Make([&](size_t i, const Node& node) {
    if (i == first) insertion.InFrontOfUses(node.results[0], kErf);
    if (i == last && (far || oracle == Oracle::kPair)) insertion.InFrontOfUses(node.results[0], kAtan);
  })};
  marked.inputs = script.inputs;
  marked.constant_contents = script.constant_contents;
  return marked;
}

minify::Reply MarkerCheck::Ask(const Program& program) {
  minify::Reply reply;
  seconds_ += Seconds([&] {
    if (oracle_ == Oracle::kNumbers) reply.wrong_outputs = WrongOutputs(program);
    const bool fails =
        oracle_ == Oracle::kNumbers ? !reply.wrong_outputs.empty() : HasMarkers(program.graph, oracle_);
    reply.verdict.answer = fails ? minify::Answer::kSameFailure : minify::Answer::kPasses;
  });
  return reply;
}

}  // namespace culprit::bench
