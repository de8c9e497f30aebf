// SPDX-License-Identifier: Apache-2.0
#include "compare/structure/numbers_by_path.h"

#include "compare/structure/tree.h"

namespace culprit::compare {
namespace {

void Collect(const std::string& path, const c10::IValue& value, int depth, NumbersByPath& numbers) {
  const TreeNode node = OpenNode(value);
  if (depth > kMaxDepth) return;
  for (const TreeChild& child : node.children)
    Collect(Join(path, child.step), child.value, depth + 1, numbers);
  if (node.kind != NodeKind::kLeaf) return;
  if (const std::optional<at::Tensor> tensor = NumbersOf(value)) numbers.emplace(path, *tensor);
}

}  // namespace

NumbersByPath CollectNumbers(const c10::IValue& value) {
  NumbersByPath numbers;
  Collect("", value, 0, numbers);
  return numbers;
}

}  // namespace culprit::compare
