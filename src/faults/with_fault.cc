// SPDX-License-Identifier: Apache-2.0
#include "faults/with_fault.h"

#include <algorithm>
#include <utility>

namespace culprit::faults {
namespace {

using backend::Values;

class FaultyCompiled : public backend::Compiled {
 public:
  FaultyCompiled(std::unique_ptr<backend::Compiled> inner, Fault fault, Site site)
      : inner_(std::move(inner)), fault_(std::move(fault)), site_(std::move(site)) {}

  Values Call(Values& inputs) override {
    const Values kept = inputs;
    Values outputs;
    Incident incident{site_, fault_.argument, ++calls_, kept, outputs};
    if (fault_.kind->moment == Moment::kCall) fault_.kind->strike(incident);
    outputs = inner_->Call(inputs);
    if (fault_.kind->moment == Moment::kOutputs) fault_.kind->strike(incident);
    return outputs;
  }

 private:
  std::unique_ptr<backend::Compiled> inner_;
  Fault fault_;
  Site site_;
  uint64_t calls_ = 0;
};

class FaultyBackend : public backend::Backend {
 public:
  FaultyBackend(std::unique_ptr<backend::Backend> inner, Fault fault)
      : inner_(std::move(inner)), fault_(std::move(fault)) {}

  backend::Parameters parameters() const override { return inner_->parameters(); }
  int calls() const override { return std::max(inner_->calls(), fault_.kind->calls); }
  bool gives_gradients() const override { return inner_->gives_gradients(); }
  bool takes_symbols() const override { return inner_->takes_symbols(); }

  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values& inputs) override {
    std::vector<graph::NodeId> guilty = fault_.where.GuiltyNodes(graph);
    if (guilty.empty()) return inner_->Compile(std::move(graph), inputs);
    Site site = MakeSite(graph, std::move(guilty));
    if (fault_.kind->moment == Moment::kCompile) {
      Values none;
      Incident incident{site, fault_.argument, 0, none, none};
      fault_.kind->strike(incident);
    }
    return std::make_unique<FaultyCompiled>(inner_->Compile(std::move(graph), inputs), fault_,
                                            std::move(site));
  }

 private:
  std::unique_ptr<backend::Backend> inner_;
  Fault fault_;
};

}  // namespace

std::unique_ptr<backend::Backend> WithFault(std::unique_ptr<backend::Backend> inner, Fault fault) {
  return std::make_unique<FaultyBackend>(std::move(inner), std::move(fault));
}

std::unique_ptr<backend::Backend> WithFaults(std::unique_ptr<backend::Backend> inner,
                                             const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) inner = WithFault(std::move(inner), fault);
  return inner;
}

}  // namespace culprit::faults
