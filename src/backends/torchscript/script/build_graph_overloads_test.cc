// SPDX-License-Identifier: Apache-2.0
//
// TorchScript finds overloads by the types of operands; every one that a graph may call has to be found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/refusal.h"
#include "backends/torchscript/script/build_graph.h"
#include "graph/operators/operator.h"

namespace culprit::backends::torchscript {
namespace {

using graph::Argument;
using graph::Operator;
using graph::Slot;
using graph::SlotKind;

/// A call of an operator with operands of the right types, whatever they mean.
class AnyCall {
 public:
  AnyCall(const Operator& op, bool leaves_out) : leaves_out_(leaves_out) {
    std::vector<Argument> arguments;
    for (const Slot& slot : op.slots()) arguments.push_back(ArgumentFor(slot));
    const std::vector<std::string> names = [&] {
      std::vector<std::string> all;
      for (size_t i = 0; i < op.results()->size(); ++i) all.push_back("result" + std::to_string(i));
      return all;
    }();
    if (is_possible_) graph_.AddNode(op, std::move(arguments), names);
    graph_.SetOutputs({});
  }

  bool is_possible() const { return is_possible_; }

  std::string Refusal() const {
    try {
      BuildGraph(graph_, {});
    } catch (const backend::Refusal& refusal) {
      return refusal.what();
    }
    return "";
  }

 private:
  Argument ArgumentFor(const Slot& slot) {
    if (slot.optional && (leaves_out_ || slot.kind == SlotKind::kUnsupported)) return Argument(c10::IValue());
    switch (slot.kind) {
      case SlotKind::kTensor:
        return Argument(graph_.AddPlaceholder("x" + std::to_string(graph_.placeholders().size())));
      case SlotKind::kInt:
      case SlotKind::kDtype:
      case SlotKind::kLayout:
      case SlotKind::kMemoryFormat:
        return Argument(c10::IValue(int64_t{1}));
      case SlotKind::kNumber:
      case SlotKind::kFloat:
        return Argument(c10::IValue(0.5));
      case SlotKind::kBool:
        return Argument(c10::IValue(true));
      case SlotKind::kString:
        return Argument(c10::IValue("sum"));
      case SlotKind::kDevice:
        return Argument(c10::IValue(c10::Device(c10::kCPU)));
      case SlotKind::kList: {
        Argument::List list;
        for (int64_t i = 0; i < std::max<int64_t>(slot.fixed_length, 1); ++i)
          list.push_back(ArgumentFor(*slot.element));
        return Argument(list);
      }
      default:
        is_possible_ = false;
        return Argument(c10::IValue());
    }
  }

  bool leaves_out_;
  bool is_possible_ = true;
  graph::Graph graph_;
};

TEST(AllOverloadsTest, AreFound) {
  std::vector<std::string> refusals;
  size_t calls = 0;
  for (const std::string_view name : graph::AllOperatorNames()) {
    if (!name.starts_with("aten::")) continue;
    for (const std::string& overload : graph::OverloadsOf(name)) {
      const Operator* op = Operator::Find(name, overload);
      if (op == nullptr || !op->results() || overload.ends_with("out")) continue;
      for (const bool leaves_out : {false, true}) {
        const AnyCall call(*op, leaves_out);
        if (!call.is_possible()) continue;
        ++calls;
        const std::string refusal = call.Refusal();
        const bool is_about_lists = refusal.find("leaves out what writes") != std::string::npos;
        if (!refusal.empty() && !is_about_lists) refusals.push_back(refusal);
      }
    }
  }
  EXPECT_GT(calls, 3000u);
  // TorchScript cannot tell a dtype from a size, and hides this one.
  EXPECT_THAT(refusals, testing::Each("TorchScript cannot call aten::view.dtype: for its operands it finds "
                                      "no overload"));
}

}  // namespace
}  // namespace culprit::backends::torchscript
