// SPDX-License-Identifier: Apache-2.0
//
// Operators that go through lists of tensors, as optimisers call them: every aten::_foreach_* of libtorch.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include "backends/table.h"
#include "graph/operators/operator.h"
#include "graph/run/interpreter.h"
#include "tests/backends/run_on.h"

namespace culprit::tests {
namespace {

using backend::Values;
using graph::Argument;
using graph::Operator;
using graph::SlotKind;
using graph::ValueId;

std::vector<const Operator*> AllForeach() {
  std::vector<const Operator*> all;
  for (const std::string_view name : graph::AllOperatorNames()) {
    if (!name.starts_with("aten::_foreach_")) continue;
    for (const std::string& overload : graph::OverloadsOf(name)) {
      if (!overload.ends_with("out")) all.push_back(Operator::Find(name, overload));
    }
  }
  return all;
}

/// One call on lists of two tensors each, the elements of what it returns, and what it may have written.
class ForeachGraph {
 public:
  explicit ForeachGraph(const Operator& op) {
    std::vector<Argument> arguments;
    for (size_t i = 0; i < op.slots().size(); ++i)
      arguments.push_back(ArgumentFor(op.slots()[i], op.schema().arguments()[i].name()));
    const std::vector<std::string> names(op.results()->size(), "list");
    const std::vector<ValueId> results = graph_.AddNode(op, std::move(arguments), names).results;
    std::vector<Argument> outputs;
    for (int64_t i = 0; i < 2 && !results.empty(); ++i)
      outputs.emplace_back(graph_
                               .AddNode(Operator::Get("python::getitem.Tensor"),
                                        {results[0], Argument(c10::IValue(i))}, {"item" + std::to_string(i)})
                               .results[0]);
    if (results.empty()) outputs.emplace_back(graph_.placeholders()[0].value);
    graph_.SetOutputs(std::move(outputs));
  }

  const graph::Graph& graph() const { return graph_; }
  const Values& inputs() const { return inputs_; }

 private:
  ValueId Input(const std::vector<int64_t>& sizes) {
    inputs_.emplace_back(at::rand(sizes).add(0.5));
    return graph_.AddPlaceholder("x" + std::to_string(inputs_.size()));
  }

  Argument ArgumentFor(const graph::Slot& slot, const std::string& name) {
    const bool is_list = slot.kind == SlotKind::kList;
    if (is_list && slot.element->kind == SlotKind::kTensor)
      return Argument(Argument::List{Input({2, 2}), Input({3, 3})});
    if (is_list) return Argument(Argument::List{Argument(c10::IValue(2)), Argument(c10::IValue(0.5))});
    if (slot.kind == SlotKind::kTensor) return name == "scalars" ? Input({2}) : Input({});
    if (slot.kind == SlotKind::kNumber) return Argument(c10::IValue(2));
    return slot.optional ? Argument() : Argument(c10::IValue(false));
  }

  graph::Graph graph_;
  Values inputs_;
};

/// What stands in the log is why a graph was not compiled.
void ExpectCompiled(const Operator& op, const char* spec) {
  const at::NoGradGuard no_grad;
  const ForeachGraph each(op);
  std::string log;
  const auto backend =
      *backends::Open(*backend::ParseSpec(spec), {.log = [&](const std::string& text) { log += text; }});
  const auto compiled = backend->Compile(each.graph(), each.inputs());
  const Values expected =
      RunOn(each.inputs(), [&](Values& given) { return graph::Interpreter(each.graph()).Run(given); });
  const Values found = RunOn(each.inputs(), [&](Values& given) { return compiled->Call(given); });
  ExpectSameValues(found, expected, op.qualified_name() + " by " + spec);
  EXPECT_EQ(log, "") << op.qualified_name() << " by " << spec;
}

TEST(ForeachTest, CompiledCallsGiveWhatEagerGives) {
  EXPECT_GT(AllForeach().size(), 100U);
  for (const Operator* op : AllForeach()) {
    for (const char* spec : {"aot-eager", "native", "torchscript:graphs=aot"}) ExpectCompiled(*op, spec);
  }
}

TEST(ForeachTest, TorchScriptCallsWhatWritesNothingAndRefusesTheOthersByName) {
  for (const Operator* op : AllForeach()) {
    if (!op->writes_any()) {
      ExpectCompiled(*op, "torchscript");
      continue;
    }
    try {
      ExpectCompiled(*op, "torchscript");
      ADD_FAILURE() << op->qualified_name();
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "TorchScript cannot call " + op->qualified_name() +
                                  ": it leaves out what writes into the tensors of a list; use graphs=aot, "
                                  "where nothing is written");
    }
  }
}

}  // namespace
}  // namespace culprit::tests
