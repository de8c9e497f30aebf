// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "backend/backend.h"
#include "backends/native/compiled.h"
#include "compiler/pipeline/pass_owner.h"

namespace culprit::backends::native {

class NativeBackend : public backend::Backend, public compiler::pipeline::PassOwner {
 public:
  explicit NativeBackend(Compiler compiler) : compiler_(std::move(compiler)) {}

  backend::Parameters parameters() const override { return compiler_.parameters; }
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const backend::Values& inputs) override;

  void ReplacePass(std::string_view name, const Exchange& exchange) override;

 private:
  Compiler compiler_;
};

}  // namespace culprit::backends::native
