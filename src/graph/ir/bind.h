// SPDX-License-Identifier: Apache-2.0
//
// Binding: from the arguments as somebody wrote them (positions, keywords, things left out) to one argument
// per slot of the operator, in schema order and normal form.
//
//   aten::conv2d(x, w, stride = 2)   =>   (x, w, None, [2, 2], [0, 0], [1, 1], 1)
//
// Normal form: defaults filled in; an int in a float slot is a float; a single element for a list of fixed
// length is repeated. A number in a Tensor or Scalar slot keeps its type, since type promotion depends on it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/ir/graph.h"

namespace culprit::graph {

struct WrittenArguments {
  std::vector<Argument> positional;
  std::vector<std::pair<std::string, Argument>> keyword;
  /// Dtypes, layouts and memory formats are ints as arguments; where this is known, what each argument was
  /// written as (positions first, then keywords), so that torch.float32 does not pass for a 6. May be empty.
  std::vector<std::optional<SlotKind>> written_as = {};
};

/// On failure `failed_at`, if given, is set to the index of the written argument to blame (keywords count on
/// behind the positions); it stays empty when the call as a whole is wrong. The error has no place yet.
base::Result<std::vector<Argument>> BindArguments(const Graph& graph, const Operator& op,
                                                  WrittenArguments written,
                                                  std::optional<size_t>* failed_at = nullptr);

/// What the argument is where nothing is written, in normal form; nothing if it has to be written.
std::optional<Argument> DefaultOf(const Operator& op, size_t argument);

/// The argument in normal form if it fits the slot.
std::optional<Argument> Conform(const Graph& graph, const Slot& slot, Argument argument);

}  // namespace culprit::graph
