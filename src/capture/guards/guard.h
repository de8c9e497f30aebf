// SPDX-License-Identifier: Apache-2.0
//
// What a capture took for granted, one entry per source that was looked at. Entries stand in the order in
// which they were met: the whole before its parts. Checking is one pass that finds every value once, compares
// it, and hands the values found to whoever runs what was captured.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "capture/guards/guard_source.h"
#include "graph/sizes/expressions/layout.h"

namespace culprit::capture {

/// A tensor like this one. Its numbers may be others.
struct TensorLike {
  c10::DispatchKeySet keys;
  at::ScalarType dtype = at::kFloat;
  at::Device device = at::kCPU;
  bool requires_grad = false;
  /// Given, not computed.
  bool is_leaf = true;
  c10::SmallVector<int64_t, 5> sizes;
  c10::SmallVector<int64_t, 5> strides;
  /// Of each dimension: the symbol that its size is, or none. A tensor whose sizes are all fixed has no
  /// entries.
  std::vector<std::optional<size_t>> size_symbols = {};
  /// The same for strides.
  std::vector<std::optional<size_t>> stride_symbols = {};
  /// If sizes may differ: how it lies in memory.
  std::optional<graph::sizes::Layout> layout = {};
  /// Where it begins there; it counts only if the program has asked some tensor for that.
  int64_t offset = 0;
  bool has_offset = false;
};
/// This very tensor, not written to since: a compiler has computed with its numbers.
struct FrozenTensor {
  at::Tensor tensor;
  uint32_t version = 0;
};
/// No tensor where one could be.
struct UndefinedTensor {};
/// A number, a string, None ...
struct Constant {
  c10::IValue value;
};
/// A whole number of at least 2.
struct NumberSymbol {
  size_t symbol = 0;
};
/// A list with that many elements, each of which has a source of its own.
struct ListOf {
  size_t size = 0;
};
struct TupleOf {
  size_t size = 0;
};
/// A dict with these keys in this order.
struct DictOf {
  std::vector<c10::IValue> keys;
};
struct ObjectOf {
  const c10::ClassType* type = nullptr;
};
/// The same object as that of an earlier source.
struct SameAs {
  SourceId source;
};
/// Something that is handed on without being looked at: a generator, a future, a tensor that is not dense.
struct Opaque {
  std::string kind;
};

using ExpectedValue = std::variant<TensorLike, FrozenTensor, UndefinedTensor, Constant, NumberSymbol, ListOf,
                                   TupleOf, DictOf, ObjectOf, SameAs, Opaque>;

struct Guard {
  GuardSource source;
  ExpectedValue expected;
};

TensorLike LikenessOf(const at::Tensor& tensor);

/// Whether the value is as expected; `found` are the values of all earlier guards.
bool Holds(const ExpectedValue& expected, const c10::IValue& value,
           const std::vector<const c10::IValue*>& found);

/// "a float32 tensor of [2, 3]", "5", "a list of 2".
std::string Describe(const ExpectedValue& expected, const std::vector<Guard>& guards);
/// Why it does not hold: "x is a float32 tensor of [3, 3], not of [2, 3]".
std::string DescribeFailure(const Guard& guard, const c10::IValue& value, const std::vector<Guard>& guards);

}  // namespace culprit::capture
