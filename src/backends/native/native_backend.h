// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "backend/backend.h"
#include "backends/native/compiled.h"

namespace culprit::backends::native {

class NativeBackend : public backend::Backend {
 public:
  explicit NativeBackend(Compiler compiler) : compiler_(std::move(compiler)) {}

  backend::Parameters parameters() const override { return compiler_.parameters; }
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const backend::Values& inputs) override;

  /// The pass of this name becomes what `exchange` makes of it, for a compiler that is wrong on purpose. It
  /// is still switched, timed, verified and shown as before.
  using Exchange = std::function<compiler::pipeline::Pass(compiler::pipeline::Pass former)>;
  void ReplacePass(std::string_view name, const Exchange& exchange);

 private:
  Compiler compiler_;
};

}  // namespace culprit::backends::native
