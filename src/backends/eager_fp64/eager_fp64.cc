// SPDX-License-Identifier: Apache-2.0
#include "backends/eager_fp64/eager_fp64.h"

#include "backends/eager_fp64/fp64_run.h"

namespace culprit::backends::eager_fp64 {
namespace {

using backend::Values;

class EagerFp64Compiled : public backend::Compiled {
 public:
  explicit EagerFp64Compiled(graph::Graph graph) : graph_(std::move(graph)) {}

  Values Call(Values& inputs) override {
    const Values given = std::move(inputs);
    inputs.clear();
    return RunInFp64(graph_, given);
  }

 private:
  graph::Graph graph_;
};

class EagerFp64Backend : public backend::Backend {
 public:
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values& /*inputs*/) override {
    return std::make_unique<EagerFp64Compiled>(std::move(graph));
  }
};

}  // namespace

const backend::Description& EagerFp64::description() const {
  static const backend::Description description{
      "eager-fp64", "libtorch's own kernels in float64, results cast back; shows what rounding does"};
  return description;
}

base::Result<std::unique_ptr<backend::Backend>> EagerFp64::Open(const backend::Configuration&) const {
  return std::unique_ptr<backend::Backend>(std::make_unique<EagerFp64Backend>());
}

}  // namespace culprit::backends::eager_fp64
