// SPDX-License-Identifier: Apache-2.0
//
// Backend `native` as tests want it: with any passes, nothing on disk, and counts of what became of graphs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "compiler/pipeline/pipeline.h"

namespace culprit::tests {

/// What became of the nodes of all graphs that were compiled in this process.
struct NativeCounts {
  size_t graphs = 0;
  size_t lowered = 0;
  size_t calls = 0;
  /// Nobody needs them, or they are views of what somebody needs.
  size_t neither = 0;
  size_t kernels = 0;
  /// Kernels that combine numbers in an order of their own.
  size_t reductions = 0;
  compiler::jit::CacheCounts cached = {};
};
NativeCounts CountsOfNative();

/// A way to compile: a name for people, options, passes.
struct NativeSetting {
  std::string name;
  compiler::pipeline::Options options = {};
  std::vector<backend::SwitchOff> off = {};
  compiler::pipeline::Pipeline pipeline = compiler::pipeline::DefaultPipeline();
  backend::Parameters parameters = backend::Parameters::kLifted;
};

/// "fast", "llvm-o3", "exact", "registers=256", "frozen", "off=fuse"; several with commas between them.
NativeSetting SettingOf(const std::string& name);

/// With autograd in front of it.
std::unique_ptr<backend::Backend> OpenNative(const NativeSetting& setting);

}  // namespace culprit::tests
