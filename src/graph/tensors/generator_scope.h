// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>

#include <mutex>

namespace culprit::graph {

/// Puts the CPU's generator back at the end of the scope, so that what was drawn inside is drawn again.
class GeneratorScope {
 public:
  GeneratorScope() {
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    const std::lock_guard lock(generator.mutex());
    state_ = generator.get_state();
  }
  GeneratorScope(const GeneratorScope&) = delete;
  GeneratorScope& operator=(const GeneratorScope&) = delete;
  ~GeneratorScope() {
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    const std::lock_guard lock(generator.mutex());
    generator.set_state(state_);
  }

  /// In the beginning.
  const at::Tensor& state() const { return state_; }

 private:
  at::Tensor state_;
};

}  // namespace culprit::graph
