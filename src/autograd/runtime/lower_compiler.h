// SPDX-License-Identifier: Apache-2.0
//
// The compiler of graphs below autograd. Forward and backward may be called by several threads, and the
// backward is compiled long after the forward.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "backend/backend.h"

namespace culprit::autograd {

/// One graph below autograd; several threads may call it.
class LowerCompiled {
 public:
  explicit LowerCompiled(std::unique_ptr<backend::Compiled> compiled) : compiled_(std::move(compiled)) {}
  backend::Values Call(backend::Values inputs);

 private:
  std::unique_ptr<backend::Compiled> compiled_;
  std::mutex mutex_;
};

class LowerCompiler {
 public:
  explicit LowerCompiler(std::unique_ptr<backend::Backend> backend) : backend_(std::move(backend)) {}

  const backend::Backend& backend() const { return *backend_; }
  bool freezes() const { return backend_->parameters() != backend::Parameters::kLifted; }
  /// `frozen` says which placeholders the compiler may take for constants, if any. Throws what the compiler
  /// throws.
  std::unique_ptr<LowerCompiled> Compile(const graph::Graph& graph, const backend::Values& inputs,
                                         const std::vector<bool>& frozen = {});

 private:
  std::unique_ptr<backend::Backend> backend_;
  std::mutex mutex_;
};

}  // namespace culprit::autograd
