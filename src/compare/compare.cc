// SPDX-License-Identifier: Apache-2.0
#include "compare/compare.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "base/text.h"
#include "compare/rules/tensor_rules.h"
#include "compare/structure/aliasing.h"
#include "compare/structure/tensor_structure.h"
#include "compare/structure/tree.h"

namespace culprit::compare {
namespace {

using Fp64 = std::optional<c10::IValue>;

bool IsPlainValue(const c10::IValue& value) {
  return value.isNone() || value.isBool() || value.isInt() || value.isString() || value.isDevice() ||
         value.isEnum() || (value.isTensor() && !value.toTensor().defined());
}

std::string Shown(const c10::IValue& value) {
  if (value.isString()) return fmt::format("'{}'", base::Printable(value.toStringRef()));
  return fmt::format("{}", fmt::streamed(value));
}

/// For plain values of the same kind. Undefined tensors, which are None too, cannot be compared by libtorch.
bool AreEqual(const c10::IValue& a, const c10::IValue& b) {
  return KindOf(a) == "None" || a == b;
}

/// Lists and tuples stand for each other, and so do a tensor and a floating-point number, as in PyTorch.
bool Correspond(const c10::IValue& a, const c10::IValue& b) {
  const bool are_sequences = (a.isList() || a.isTuple()) && (b.isList() || b.isTuple());
  const bool are_numbers = NumbersOf(a) && NumbersOf(b);
  return are_sequences || are_numbers || KindOf(a) == KindOf(b);
}

const TreeChild* FindStep(const TreeNode& node, std::string_view step) {
  const auto found = std::find_if(node.children.begin(), node.children.end(),
                                  [&](const TreeChild& child) { return child.step == step; });
  return found == node.children.end() ? nullptr : &*found;
}

class Walk {
 public:
  Walk(const Options& options, const UndefinedElements& undefined)
      : options_(options), undefined_(undefined) {}

  void Visit(const std::string& path, const c10::IValue& reference, const c10::IValue& result, Fp64 fp64,
             int depth) {
    if (depth > kMaxDepth)
      return Add(MismatchKind::kUnsupported, path, fmt::format("nested deeper than {}", kMaxDepth));
    if (!Correspond(reference, result))
      return Add(MismatchKind::kType, path,
                 fmt::format("{} in the reference, {} in the result", KindOf(reference), KindOf(result)));
    if (fp64 && !Correspond(reference, *fp64)) {
      Add(MismatchKind::kFp64, path,
          fmt::format("{} in the reference, {} in the fp64 run", KindOf(reference), KindOf(*fp64)));
      fp64.reset();
    }
    const TreeNode node = OpenNode(reference);
    if (node.kind == NodeKind::kLeaf) return VisitLeaf(path, reference, result, fp64);
    VisitChildren(path, node, OpenNode(result), fp64, depth);
  }

  Verdict Take() && {
    if (options_.compare_aliasing) {
      for (Mismatch& mismatch : CompareAliasing(tensors_)) verdict_.mismatches.push_back(std::move(mismatch));
    }
    return std::move(verdict_);
  }

 private:
  void VisitChildren(const std::string& path, const TreeNode& reference, const TreeNode& result,
                     const Fp64& fp64, int depth) {
    const bool is_dict = reference.kind == NodeKind::kDict;
    if (is_dict) {
      CheckKeys(path, reference, result);
    } else if (reference.children.size() != result.children.size()) {
      return Add(MismatchKind::kLength, path,
                 fmt::format("{} in the reference, {} in the result",
                             base::Counted(reference.children.size(), "element"), result.children.size()));
    } else if (reference.type_name != result.type_name) {
      Add(MismatchKind::kType, path,
          fmt::format("'{}' in the reference, '{}' in the result", reference.type_name, result.type_name));
    }
    const TreeNode fp64_node = fp64 ? OpenNode(*fp64) : TreeNode{};
    if (fp64) CheckFp64Children(path, reference, fp64_node);
    for (size_t i = 0; i < reference.children.size(); ++i) {
      const TreeChild& child = reference.children[i];
      const TreeChild* other = is_dict ? FindStep(result, child.step) : &result.children[i];
      if (other == nullptr) continue;
      const TreeChild* truth = is_dict                         ? FindStep(fp64_node, child.step)
                               : i < fp64_node.children.size() ? &fp64_node.children[i]
                                                               : nullptr;
      Visit(Join(path, child.step), child.value, other->value, truth ? Fp64(truth->value) : Fp64(),
            depth + 1);
    }
  }

  void CheckKeys(const std::string& path, const TreeNode& reference, const TreeNode& result) {
    for (const TreeChild& child : reference.children) {
      if (FindStep(result, child.step) == nullptr)
        Add(MismatchKind::kKeys, path, fmt::format("the key {} is in the reference only", child.step));
    }
    for (const TreeChild& child : result.children) {
      if (FindStep(reference, child.step) == nullptr)
        Add(MismatchKind::kKeys, path, fmt::format("the key {} is in the result only", child.step));
    }
  }

  void CheckFp64Children(const std::string& path, const TreeNode& reference, const TreeNode& fp64) {
    if (reference.children.size() != fp64.children.size())
      return Add(MismatchKind::kFp64, path,
                 fmt::format("{} in the reference, {} in the fp64 run",
                             base::Counted(reference.children.size(), "element"), fp64.children.size()));
    if (reference.kind != NodeKind::kDict) return;
    for (const TreeChild& child : reference.children) {
      if (FindStep(fp64, child.step) == nullptr)
        Add(MismatchKind::kFp64, path, fmt::format("the key {} is not in the fp64 run", child.step));
    }
  }

  void VisitLeaf(const std::string& path, const c10::IValue& reference, const c10::IValue& result,
                 const Fp64& fp64) {
    if (IsPlainValue(reference)) {
      if (!options_.ignore_non_float && !AreEqual(reference, result))
        Add(MismatchKind::kValue, path,
            fmt::format("{} in the reference, {} in the result", Shown(reference), Shown(result)));
      return;
    }
    const std::optional<at::Tensor> numbers = NumbersOf(reference);
    if (!numbers)
      return Add(MismatchKind::kUnsupported, path,
                 fmt::format("values of type {} cannot be compared", KindOf(reference)));
    try {
      VisitNumbers(path, *numbers, *NumbersOf(result),
                   fp64 ? NumbersOf(*fp64, /*from_fp64=*/true) : std::nullopt);
    } catch (const c10::Error& error) {
      // libtorch cannot make every sparse tensor dense.
      Add(MismatchKind::kUnsupported, path, error.what_without_backtrace());
    }
  }

  void VisitNumbers(const std::string& path, const at::Tensor& reference, const at::Tensor& result,
                    std::optional<at::Tensor> fp64) {
    tensors_.push_back({path, reference, result});
    StructureReport report = CompareStructure(path, reference, result, options_);
    for (Mismatch& mismatch : report.mismatches) verdict_.mismatches.push_back(std::move(mismatch));
    if (!report.numbers_correspond) return;
    if (fp64 && !CanServe(path, reference, *fp64)) fp64.reset();
    if (fp64) fp64 = undefined_.SetAside(path, *fp64);
    verdict_.outputs.push_back(JudgeNumbers(path, undefined_.SetAside(path, reference),
                                            undefined_.SetAside(path, result), fp64, options_));
  }

  bool CanServe(const std::string& path, const at::Tensor& reference, const at::Tensor& fp64) {
    std::string why = WhyUnreadable(fp64);
    if (why.empty() && fp64.sizes() != reference.sizes())
      why = fmt::format("has the shape {}, the reference {}", compare::Shown(fp64.sizes()),
                        compare::Shown(reference.sizes()));
    if (why.empty()) return true;
    Add(MismatchKind::kFp64, path, "the fp64 run " + why);
    return false;
  }

  void Add(MismatchKind kind, const std::string& path, std::string message) {
    verdict_.mismatches.push_back({kind, path, std::move(message)});
  }

  const Options& options_;
  const UndefinedElements& undefined_;
  Verdict verdict_;
  std::vector<TensorPair> tensors_;
};

}  // namespace

Verdict Compare(const c10::IValue& reference, const c10::IValue& result,
                const std::optional<c10::IValue>& fp64, const Options& options,
                const UndefinedElements& undefined) {
  Walk walk(options, undefined);
  walk.Visit("", reference, result, fp64, 0);
  return std::move(walk).Take();
}

}  // namespace culprit::compare
