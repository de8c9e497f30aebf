// SPDX-License-Identifier: Apache-2.0
#include "faults/with_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/pipeline/pass_owner.h"

namespace culprit::faults {
namespace {

using backend::Values;
using compiler::pipeline::Applies;
using compiler::pipeline::Compilation;
using compiler::pipeline::Pass;

class FaultyCompiled : public backend::Compiled {
 public:
  FaultyCompiled(std::unique_ptr<backend::Compiled> inner, Fault fault, Site site)
      : inner_(std::move(inner)), fault_(std::move(fault)), site_(std::move(site)) {}

  Values Call(Values& inputs) override {
    const Values kept = inputs;
    Values outputs;
    Incident incident{site_, fault_.argument, ++calls_, kept, outputs};
    if (fault_.kind->moment == FaultMoment::kCall) fault_.kind->strike(incident);
    outputs = inner_->Call(inputs);
    if (fault_.kind->moment == FaultMoment::kOutputs) fault_.kind->strike(incident);
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
  bool draws_as_eager() const override { return inner_->draws_as_eager(); }
  std::unique_ptr<backend::Backend> EagerElsewhere() const override { return inner_->EagerElsewhere(); }

  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values& inputs) override {
    std::vector<graph::NodeId> guilty = fault_.where.GuiltyNodes(graph);
    if (guilty.empty()) return inner_->Compile(std::move(graph), inputs);
    Site site = MakeSite(graph, std::move(guilty));
    if (fault_.kind->moment == FaultMoment::kCompile) {
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

base::Diagnostic NotNative(const Fault& fault) {
  base::Diagnostic error{
      {fmt::format("fault '{}'", fault.ToString())},
      fmt::format("it is in pass {} of backend native, and this is another backend", fault.kind->pass)};
  error.help = "use backend native, or another kind; to see all kinds, run: culprit faults";
  return error;
}

Pass Spoiled(Pass pass, const Fault& fault, const OnSpoiled& on_spoiled) {
  pass.run = [run = pass.run, fault, on_spoiled](Compilation& compilation, const Applies& applies) {
    run(compilation, applies);
    fault.kind->spoil(compilation, fault.where, [&] {
      const bool is_spoiled = applies();
      if (is_spoiled && on_spoiled) on_spoiled(fault);
      return is_spoiled;
    });
  };
  return pass;
}

}  // namespace

base::Result<std::unique_ptr<backend::Backend>> WithFault(std::unique_ptr<backend::Backend> inner,
                                                          Fault fault, const OnSpoiled& on_spoiled) {
  using Opened = std::unique_ptr<backend::Backend>;
  if (!fault.is_in_pass()) return Opened(std::make_unique<FaultyBackend>(std::move(inner), std::move(fault)));
  auto* owner = dynamic_cast<compiler::pipeline::PassOwner*>(inner.get());
  if (owner == nullptr) return NotNative(fault);
  owner->ReplacePass(fault.kind->pass,
                     [&](const Pass& former) { return Spoiled(former, fault, on_spoiled); });
  return inner;
}

base::Result<std::unique_ptr<backend::Backend>> WithFaults(std::unique_ptr<backend::Backend> inner,
                                                           std::vector<Fault> faults,
                                                           const OnSpoiled& on_spoiled) {
  // Those in passes need the compiler itself.
  std::stable_partition(faults.begin(), faults.end(), std::mem_fn(&Fault::is_in_pass));
  for (Fault& fault : faults) inner = CULPRIT_TRY(WithFault(std::move(inner), std::move(fault), on_spoiled));
  return inner;
}

}  // namespace culprit::faults
