// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>

namespace culprit::graph {

/// Puts the CPU's generator back at the end of the scope, so that what was drawn inside is drawn again.
class GeneratorScope {
 public:
  GeneratorScope() : state_(at::detail::getDefaultCPUGenerator().get_state()) {}
  GeneratorScope(const GeneratorScope&) = delete;
  GeneratorScope& operator=(const GeneratorScope&) = delete;
  ~GeneratorScope() { at::Generator(at::detail::getDefaultCPUGenerator()).set_state(state_); }

 private:
  at::Tensor state_;
};

}  // namespace culprit::graph
