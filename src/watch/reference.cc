// SPDX-License-Identifier: Apache-2.0
#include "watch/reference.h"

#include <ATen/core/grad_mode.h>

#include <optional>

#include "check/model/clone_inputs.h"
#include "check/query/query.h"
#include "check/run/graph_model.h"
#include "compare/compare.h"
#include "graph/tensors/generator_scope.h"

namespace culprit::watch {
namespace {

using backend::Values;

class OriginalModel : public check::Model {
 public:
  OriginalModel(const WatchedGraph& subject, const Values& inputs)
      : subject_(subject), inputs_(inputs), graph_(subject.graph) {}

  std::unique_ptr<check::Model> Copy() const override { return std::make_unique<OriginalModel>(*this); }
  c10::IValue Call(Values& inputs) override {
    return c10::ivalue::Tuple::create(subject_.original->Call(inputs));
  }
  const check::ModelState& state() const override { return graph_.state(); }
  base::Result<std::unique_ptr<check::Model>> InFp64(const Values& inputs,
                                                     const repro::RunSettings& settings) const override {
    if (!GraphAgrees()) return base::Diagnostic{{}, "the graph does not compute what the program computes"};
    return graph_.InFp64(inputs, settings);
  }
  std::unique_ptr<check::Model> Rounded(check::RoundingTrial& trial) const override {
    return GraphAgrees() ? graph_.Rounded(trial) : nullptr;
  }
  std::unique_ptr<check::Model> Filled(check::Filling filling) const override {
    return GraphAgrees() ? graph_.Filled(filling) : nullptr;
  }

 private:
  bool GraphAgrees() const {
    if (!*agrees_) *agrees_ = Compare();
    return **agrees_;
  }

  bool Compare() const {
    const at::NoGradGuard no_grad;
    compare::Options options = check::CheckOptionsOf(subject_.header).compare;
    options.compare_requires_grad = false;
    try {
      const c10::IValue program = Run([&](Values inputs) { return subject_.original->Call(inputs); });
      const c10::IValue graph =
          Run([&](Values inputs) { return subject_.interpreter.Run(std::move(inputs)); });
      return compare::Compare(program, graph, std::nullopt, options).passes();
    } catch (const std::exception&) {
      return false;
    }
  }

  /// What it returns, and what it writes.
  template <typename Function>
  c10::IValue Run(const Function& function) const {
    const graph::GeneratorScope generator;
    Values results = check::CloneInputs(inputs_);
    for (c10::IValue& output : function(results)) results.push_back(std::move(output));
    return c10::ivalue::Tuple::create(std::move(results));
  }

  const WatchedGraph& subject_;
  const Values& inputs_;
  check::GraphModel graph_;
  /// Nothing until somebody asks. Copies share it.
  std::shared_ptr<std::optional<bool>> agrees_ = std::make_shared<std::optional<bool>>();
};

}  // namespace

std::unique_ptr<check::Model> ReferenceOf(const WatchedGraph& subject, const Values& inputs) {
  if (subject.original) return std::make_unique<OriginalModel>(subject, inputs);
  return std::make_unique<check::GraphModel>(subject.graph);
}

}  // namespace culprit::watch
