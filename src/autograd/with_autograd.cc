// SPDX-License-Identifier: Apache-2.0
#include "autograd/with_autograd.h"

#include "autograd/compiled_graph.h"

namespace culprit::autograd {
namespace {

class AutogradBackend : public backend::Backend {
 public:
  AutogradBackend(std::unique_ptr<backend::Backend> lower, AutogradOptions options)
      : compiler_(std::make_shared<LowerCompiler>(std::move(lower))), options_(std::move(options)) {}

  backend::Parameters parameters() const override {
    return compiler_->freezes() ? backend::Parameters::kFrozenForInference : backend::Parameters::kLifted;
  }
  int calls() const override { return compiler_->backend().calls(); }
  bool takes_symbols() const override { return compiler_->backend().takes_symbols(); }
  bool draws_as_eager() const override { return compiler_->backend().draws_as_eager(); }

  std::unique_ptr<backend::Backend> EagerElsewhere() const override {
    std::unique_ptr<backend::Backend> lower = compiler_->backend().EagerElsewhere();
    return lower ? WithAutograd(std::move(lower), options_) : nullptr;
  }

  std::optional<std::string> InPython(const graph::Graph& graph, const backend::Values& inputs,
                                      backend::Graphs /*graphs*/) const override {
    return compiler_->backend().InPython(graph, inputs, backend::Graphs::kAfterAutograd);
  }

  std::optional<backend::PlainProgram> InPlainCalls(const std::string& script,
                                                    const std::string& expected) const override {
    return compiler_->backend().InPlainCalls(script, expected);
  }

  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const backend::Values& inputs) override {
    return std::make_unique<CompiledGraph>(std::move(graph), inputs, compiler_, options_);
  }

 private:
  const std::shared_ptr<LowerCompiler> compiler_;
  const AutogradOptions options_;
};

}  // namespace

std::unique_ptr<backend::Backend> WithAutograd(std::unique_ptr<backend::Backend> lower,
                                               AutogradOptions options) {
  return std::make_unique<AutogradBackend>(std::move(lower), std::move(options));
}

}  // namespace culprit::autograd
