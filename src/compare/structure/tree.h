// SPDX-License-Identifier: Apache-2.0
//
// Values of a run as trees: lists, tuples, dicts and TorchScript objects are inner nodes, everything else is
// a leaf. A step is how Python would reach a child:
//
//   list, tuple        [0]          named tuple, object     .logits
//   dict               ['logits']   in sorted order; [3] for a key that is a number
//
// Of a QuestionAnsweringModelOutput only the loss counts, as in PyTorch.
#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <vector>

namespace culprit::compare {

enum class NodeKind { kLeaf, kSequence, kDict, kObject };

struct TreeChild {
  std::string step;
  c10::IValue value;
};

struct TreeNode {
  NodeKind kind = NodeKind::kLeaf;
  /// The class of an object, the name of a named tuple.
  std::string type_name;
  std::vector<TreeChild> children;
};

/// A dict whose keys cannot be written down (tensors) is a leaf.
TreeNode OpenNode(const c10::IValue& value);

/// The path of a child. Paths do not begin with a dot: "loss", "calls[0].loss".
std::string Join(const std::string& path, const std::string& step);

/// Deeper trees than this are not walked: an object may contain itself.
constexpr int kMaxDepth = 200;

/// "tensor", "None", "list", "object Boxes" ... for messages.
std::string KindOf(const c10::IValue& value);

/// A leaf that is a tensor or a floating-point or complex number, as a tensor: numbers become
/// zero-dimensional tensors of the default dtype or, if they come from the fp64 run, of double precision.
/// Nothing for other leaves, None and undefined tensors among them.
std::optional<at::Tensor> NumbersOf(const c10::IValue& leaf, bool from_fp64 = false);

}  // namespace culprit::compare
