// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/judging_backend.h"

#include "backends/table.h"
#include "check/model/clone_inputs.h"
#include "check/run/function_model.h"
#include "check/run/graph_model.h"
#include "graph/passes/own_constants.h"
#include "tests/compiler/judge.h"
#include "tests/lib/short_graph.h"

namespace culprit::tests {
namespace {

using backend::Values;

class JudgingCompiled : public backend::Compiled {
 public:
  JudgingCompiled(graph::Graph graph, std::shared_ptr<backend::Compiled> native,
                  std::unique_ptr<backend::Compiled> eager, std::shared_ptr<Judged> judged,
                  const JudgeOptions& options)
      : graph_(std::move(graph)),
        native_(std::move(native)),
        eager_(std::move(eager)),
        judged_(std::move(judged)),
        options_(options) {}

  Values Call(Values& inputs) override {
    const check::FunctionModel candidate =
        check::FunctionModel::Boxed([native = native_](check::Inputs& given) {
          return c10::IValue(c10::ivalue::Tuple::create(native->Call(given)));
        });
    const Judgement judgement = JudgeModel(check::GraphModel(graph_), candidate, inputs, options_);
    ++judged_->calls;
    judged_->calls_that_say_nothing += judgement.says_nothing() ? 1 : 0;
    if (!judgement.difference.empty())
      judged_->differences.push_back(judgement.difference + ShortText(graph_));
    return eager_->Call(inputs);
  }

 private:
  graph::Graph graph_;
  std::shared_ptr<backend::Compiled> native_;
  std::unique_ptr<backend::Compiled> eager_;
  std::shared_ptr<Judged> judged_;
  JudgeOptions options_;
};

class JudgingBackend : public backend::Backend {
 public:
  JudgingBackend(std::unique_ptr<backend::Backend> native, std::shared_ptr<Judged> judged,
                 const JudgeOptions& options)
      : native_(std::move(native)),
        eager_(*backends::Open(*backend::ParseSpec("eager"))),
        judged_(std::move(judged)),
        options_(options) {}

  backend::Parameters parameters() const override { return native_->parameters(); }
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values& inputs) override {
    ++judged_->graphs;
    std::shared_ptr<backend::Compiled> native =
        native_->Compile(graph::WithOwnConstants(graph), check::CloneInputs(inputs));
    auto eager = eager_->Compile(graph, inputs);
    return std::make_unique<JudgingCompiled>(std::move(graph), std::move(native), std::move(eager), judged_,
                                             options_);
  }

 private:
  std::unique_ptr<backend::Backend> native_;
  std::unique_ptr<backend::Backend> eager_;
  std::shared_ptr<Judged> judged_;
  JudgeOptions options_;
};

}  // namespace

std::unique_ptr<backend::Backend> OpenJudging(const NativeSetting& setting, std::shared_ptr<Judged> judged,
                                              const JudgeOptions& options) {
  return std::make_unique<JudgingBackend>(OpenNative(setting), std::move(judged), options);
}

}  // namespace culprit::tests
