// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/fold_constants.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <optional>

#include "compiler/passes/escaping.h"
#include "graph/ir/rebuild.h"
#include "graph/passes/single_call.h"
#include "graph/run/interpreter.h"

namespace culprit::compiler::passes {
namespace {

using graph::Argument;
using graph::Graph;
using graph::Node;
using graph::ValueId;

constexpr int64_t kMuchMemory = 1 << 20;

class Folder {
 public:
  Folder(const Graph& source, const std::function<bool()>& applies)
      : source_(source),
        applies_(applies),
        escapes_(EscapingValues(source)),
        rebuild_(source),
        known_(source.values().size()) {}

  Graph Run() {
    rebuild_.CopyPlaceholders();
    rebuild_.CopyConstants();
    for (const graph::TensorConstant& constant : source_.constants())
      known_[graph::Index(constant.value)] = constant.tensor;
    for (const Node& node : source_.nodes())
      if (!Fold(node)) rebuild_.CopyNode(node);
    rebuild_.CopyOutputs();
    return std::move(rebuild_).Take();
  }

 private:
  bool MayFold(const Node& node) const {
    if (node.op->is_random() || node.op->writes_any() || node.op->is_builtin() || node.results.empty())
      return false;
    for (const ValueId result : node.results)
      if (escapes_[graph::Index(result)] || source_.value(result).kind != graph::ValueKind::kTensor)
        return false;
    bool is_known = true;
    bool has_tensor = false;
    for (const Argument& argument : node.arguments) {
      ForEachValue(argument, [&](ValueId id) {
        has_tensor = true;
        is_known = is_known && known_[graph::Index(id)].has_value();
      });
    }
    return is_known && has_tensor;
  }

  bool Fold(const Node& node) {
    if (!MayFold(node)) return false;
    const std::optional<std::vector<at::Tensor>> results = Computed(node);
    if (!results || !applies_()) return false;
    for (size_t i = 0; i < results->size(); ++i) {
      const std::string& name = source_.value(node.results[i]).name;
      known_[graph::Index(node.results[i])] = (*results)[i];
      rebuild_.Replace(node.results[i], rebuild_.graph().AddConstant(name, (*results)[i]));
    }
    return true;
  }

  std::optional<std::vector<at::Tensor>> Computed(const Node& node) const {
    const graph::SingleCall call = TakeCall(source_, node);
    std::vector<c10::IValue> inputs;
    int64_t taken = 0;
    for (const ValueId id : call.takes) {
      inputs.emplace_back(*known_[graph::Index(id)]);
      taken += static_cast<int64_t>(known_[graph::Index(id)]->nbytes());
    }
    return Run(call.graph, std::move(inputs), taken);
  }

  static std::optional<std::vector<at::Tensor>> Run(const Graph& graph, std::vector<c10::IValue> inputs,
                                                    int64_t taken) {
    const c10::NoGradGuard no_grad;
    std::vector<at::Tensor> results;
    int64_t made = 0;
    try {
      for (const c10::IValue& result : graph::Interpreter(graph).Run(std::move(inputs))) {
        if (!result.isTensor() || !result.toTensor().defined()) return std::nullopt;
        made += static_cast<int64_t>(result.toTensor().nbytes());
        results.push_back(result.toTensor());
      }
    } catch (const std::exception&) {
      return std::nullopt;
    }
    if (made > kMuchMemory && made > 2 * taken) return std::nullopt;
    return results;
  }

  const Graph& source_;
  const std::function<bool()>& applies_;
  std::vector<bool> escapes_;
  graph::Rebuild rebuild_;
  std::vector<std::optional<at::Tensor>> known_;
};

}  // namespace

Graph FoldConstants(const Graph& graph, const std::function<bool()>& applies) {
  return Folder(graph, applies).Run();
}

}  // namespace culprit::compiler::passes
