// SPDX-License-Identifier: Apache-2.0
//
// A graph as loops: a list of values, each of which is given, is called for (an operator of libtorch), or is
// computed by a loop over its elements.
//
//   x        = given f32[8, 64]
//   mul      = f32[8, 64]: x[i0, i1] * 2
//   sum      = f32[8, 1]:  sum over i2 < 64 of mul[i0, i2]
//   mm       = call aten::mm(mul, w) f32[8, 32]
//   permute  = view f32[32, 8]: mm[i1, i0]
//
// Sizes are numbers: a graph whose sizes have symbols is lowered again for other ones, which gives other
// numbers and, where kernels take them as arguments, the same kernels.
//
// The name of a value is its handle through all passes: that of the graph's value that it is. What lowering
// has added to compute one has its name with a dot behind it: "layer_norm.mean". The handle of a value that
// was merged into an equal one leads to that.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/loops/body.h"
#include "graph/ir/graph.h"

namespace culprit::compiler::loops {

/// Names a value of one program.
enum class ValueIndex : uint32_t {};
constexpr uint32_t Index(ValueIndex index) {
  return static_cast<uint32_t>(index);
}

/// What a loop relies on that only numbers can tell: all of `indices` are from `lowest` up to below `end`. It
/// is looked at before the loop runs; if it does not hold, neither does the loop run, and the call of `node`
/// is made instead, which fails in libtorch's own words.
struct Precondition {
  graph::NodeId node = {};
  /// An argument of the node.
  graph::ValueId indices = {};
  int64_t lowest = 0;
  int64_t end = 0;

  bool operator==(const Precondition&) const = default;
};

/// Computes one value. The loop variables are the value's dimensions and behind them those that are reduced.
/// Loads name values of the program (ValueIndex) and have one index per dimension of them.
struct Loop {
  LoopKind kind = LoopKind::kPointwise;
  /// Of reductions and scans.
  Combine combine = Combine::kSum;
  /// Of scans: the dimension along which values are combined.
  uint32_t axis = 0;
  /// Of reductions: how far the variables behind the value's dimensions go.
  std::vector<int64_t> reduced = {};
  std::vector<Precondition> preconditions = {};
  Body body = {};
  /// What is stored, or combined. Its type is the value's, Float for Half and BFloat16; an arg_min combines
  /// what it likes and gives Long: the number of the iteration, counted through all reduced variables. A scan
  /// may combine Doubles and give Floats.
  ExprId result = {};
};

struct Value {
  std::string name;
  at::ScalarType dtype = at::kFloat;
  std::vector<int64_t> sizes = {};
  /// Where it gets memory of its own, as libtorch would lay it.
  std::vector<int64_t> strides = {};

  /// The call that gives it, in LoopProgram::graph; nothing for inputs, constants and what lowering has
  /// added.
  std::optional<graph::NodeId> node = std::nullopt;
  uint32_t result = 0;
  /// Of what lowering has added: the call that it is a part of.
  std::optional<graph::NodeId> part_of = std::nullopt;
  /// The call costs nothing: it gives another view of the memory of its first operand.
  bool is_view = false;
  /// How it is computed; null if only the call can.
  std::shared_ptr<const Loop> loop = nullptr;
  /// Not a strided tensor with numbers on the CPU: nothing can be loaded from it.
  bool is_opaque = false;

  bool is_given() const { return !node && !loop; }
  /// The call that it comes from; nothing for inputs and constants.
  std::optional<graph::NodeId> origin() const { return node ? node : part_of; }
};

struct LoopProgram {
  /// After the passes on graphs.
  std::shared_ptr<const graph::Graph> graph;
  std::vector<Value> values;
  /// Of each value of the graph.
  std::vector<ValueIndex> value_of;
  /// By the name of a value that the graph had before: that of the one it was merged into.
  std::map<std::string, std::string> merged_into = {};

  const Value& operator[](ValueIndex index) const { return values[Index(index)]; }

  /// Nothing if no pass has left a value for the handle: it became part of another, or nobody computes it any
  /// more.
  std::optional<ValueIndex> Find(const std::string& handle) const;
};

/// "0 <= index < 64".
std::string ToText(const Precondition& precondition, const graph::Graph& graph);

/// One value per line, as above, in words that fit into a line; bodies as expressions.
std::string ToText(const LoopProgram& program);

/// Loops load what stands before them, with as many indices as it has dimensions, types fit. Throws
/// base::InternalError.
void Verify(const LoopProgram& program);

}  // namespace culprit::compiler::loops
