// SPDX-License-Identifier: Apache-2.0
#include "watch/reference.h"

#include "check/run/graph_model.h"

namespace culprit::watch {
namespace {

class OriginalModel : public check::Model {
 public:
  explicit OriginalModel(const WatchedGraph& subject) : original_(*subject.original), graph_(subject.graph) {}

  std::unique_ptr<check::Model> Copy() const override { return std::make_unique<OriginalModel>(*this); }
  c10::IValue Call(std::vector<c10::IValue>& inputs) override {
    return c10::ivalue::Tuple::create(original_.Call(inputs));
  }
  const check::ModelState& state() const override { return graph_.state(); }
  base::Result<std::unique_ptr<check::Model>> InFp64(const std::vector<c10::IValue>& inputs,
                                                     const repro::RunSettings& settings) const override {
    return graph_.InFp64(inputs, settings);
  }
  std::unique_ptr<check::Model> Rounded(check::RoundingTrial& trial) const override {
    return graph_.Rounded(trial);
  }
  std::unique_ptr<check::Model> Filled(check::Filling filling) const override {
    return graph_.Filled(filling);
  }

 private:
  backend::Compiled& original_;
  check::GraphModel graph_;
};

}  // namespace

std::unique_ptr<check::Model> ReferenceOf(const WatchedGraph& subject) {
  if (subject.original) return std::make_unique<OriginalModel>(subject);
  return std::make_unique<check::GraphModel>(subject.graph);
}

}  // namespace culprit::watch
