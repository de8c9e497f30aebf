// SPDX-License-Identifier: Apache-2.0
//
// A random graph in the making: the dice, the values so far with what they are at run time, and the calls.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/ir/bind.h"
#include "graph/ir/graph.h"

namespace culprit::tests {

using Sizes = std::vector<int64_t>;
using NamedArguments = std::vector<std::pair<std::string, graph::Argument>>;

enum class Dtypes : uint8_t { kFloating, kInteger, kReal, kBool, kBits, kComplex, kAny };

/// A tensor of the graph and what it holds in this run.
struct Operand {
  graph::ValueId id;
  at::Tensor tensor;

  operator graph::Argument() const { return id; }  // NOLINT: meant to be implicit
  int64_t rank() const { return tensor.dim(); }
  int64_t size(int64_t dim) const { return tensor.size(dim); }
  Sizes sizes() const { return tensor.sizes().vec(); }
  at::ScalarType dtype() const { return tensor.scalar_type(); }
};

template <typename T>
graph::Argument Constant(T value) {
  return graph::Argument(c10::IValue(std::move(value)));
}
inline graph::Argument None() {
  return {};
}

class GraphMaker {
 public:
  using Condition = std::function<bool(const at::Tensor&)>;

  explicit GraphMaker(uint64_t seed);

  bool Chance(int percent) { return Between(1, 100) <= percent; }
  int64_t Between(int64_t low, int64_t high);
  template <typename T>
  T Choice(std::initializer_list<T> options) {
    return options.begin()[Between(0, static_cast<int64_t>(options.size()) - 1)];
  }
  Sizes RandomSizes(int64_t lowest_rank = 0, int64_t highest_rank = 4);
  at::ScalarType RandomDtype(Dtypes dtypes);

  /// Some tensor of such a dtype that meets the condition; a new input or constant if there is none.
  Operand Pick(Dtypes dtypes, const Condition& condition = nullptr);
  Operand PickRank(Dtypes dtypes, int64_t rank) { return PickRanks(dtypes, rank, rank); }
  Operand PickRanks(Dtypes dtypes, int64_t lowest, int64_t highest);
  /// A tensor of exactly this dtype and these sizes, new or old.
  Operand Sized(at::ScalarType dtype, const Sizes& sizes);
  /// A tensor that can be broadcast together with `other`.
  Operand Partner(const Operand& other, Dtypes dtypes);
  /// A new input or constant with random contents.
  Operand Fresh(at::ScalarType dtype, const Sizes& sizes);
  /// A new int64 tensor with values from 0 to bound - 1, which no call will ever write into.
  Operand FreshIndex(const Sizes& sizes, int64_t bound);
  /// An integer list in which some elements are values of the graph that happen to be equal.
  graph::Argument SizeList(const Sizes& sizes);
  /// A number computed by the graph, if there is one.
  std::optional<graph::ValueId> ComputedNumber();

  /// Adds the call if it binds, runs and gives no giant tensors.
  bool Call(const graph::Operator& op, NamedArguments arguments);
  /// As Call, with what is not given drawn at random or left at its default; `about` is what dimensions are
  /// of.
  bool Complete(const graph::Operator& op, NamedArguments given, const at::Tensor& about);
  /// Adds a call that computes with sizes.
  bool CallOnSizes();

  void ChooseOutputs();
  graph::Graph& graph() { return graph_; }
  const std::vector<c10::IValue>& inputs() const { return inputs_; }

 private:
  using Results = std::optional<std::vector<c10::IValue>>;

  at::Tensor RandomTensor(at::ScalarType dtype, const Sizes& sizes);
  Operand AddInput(at::Tensor tensor, bool as_constant);
  bool WritesProtectedMemory(const graph::Operator& op, const std::vector<graph::Argument>& arguments) const;
  Results Execute(const graph::Operator& op, const std::vector<graph::Argument>& arguments) const;
  void Remember(graph::ValueId id, c10::IValue value);
  void TakeElements(graph::ValueId list, int64_t count);
  std::string FreshName(std::string base);

  std::mt19937_64 dice_;
  graph::Graph graph_;
  std::vector<c10::IValue> inputs_;
  std::vector<c10::IValue> values_;
  std::vector<Operand> tensors_;
  std::vector<graph::ValueId> ints_;
  std::vector<graph::ValueId> numbers_;
  std::unordered_set<const void*> protected_memory_;
  std::unordered_map<std::string, int> names_;
};

}  // namespace culprit::tests
