// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/native_backend.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <sstream>

#include "backends/native/native.h"
#include "backends/table.h"

namespace culprit::tests {
namespace {

using compiler::pipeline::Applies;
using compiler::pipeline::Compilation;

std::mutex counts_mutex;
NativeCounts counts;

void Count(Compilation& compilation, const Applies& /*applies*/) {
  std::set<size_t> called;
  std::set<size_t> computed;
  for (const compiler::schedule::Step& step : compilation.schedule->steps) {
    if (const auto* call = std::get_if<compiler::schedule::CallStep>(&step))
      called.insert(Index(call->node));
    else if (const auto* kernel = std::get_if<compiler::schedule::KernelStep>(&step))
      for (const auto value : kernel->computes)
        if (const auto node = (*compilation.program)[value].node) computed.insert(Index(*node));
  }
  const std::lock_guard lock(counts_mutex);
  ++counts.graphs;
  counts.calls += called.size();
  counts.lowered += computed.size();
  counts.neither += compilation.graph->nodes().size() - called.size() - computed.size();
  counts.kernels += compilation.schedule->kernels.size();
  counts.reductions += std::ranges::count_if(compilation.schedule->kernels, [](const auto& kernel) {
    return std::ranges::any_of(kernel.stages, [](const compiler::loops::Stage& stage) {
      return stage.kind != compiler::loops::LoopKind::kPointwise;
    });
  });
  counts.cached.generated += compilation.cached.generated;
  counts.cached.from_memory += compilation.cached.from_memory;
  counts.cached.from_disk += compilation.cached.from_disk;
}

}  // namespace

NativeCounts CountsOfNative() {
  const std::lock_guard lock(counts_mutex);
  return counts;
}

NativeSetting SettingOf(const std::string& name) {
  NativeSetting setting{.name = name};
  std::istringstream words(name);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "exact") setting.options.code.math = compiler::codegen::Math::kExact;
    if (word == "llvm-o3") setting.options.code.route = compiler::codegen::Route::kLlvmO3;
    if (word.starts_with("registers="))
      setting.options.code.most_register_bits = static_cast<unsigned>(std::stoul(word.substr(10)));
    if (word == "frozen") setting.parameters = backend::Parameters::kFrozen;
    if (word.starts_with("off=")) setting.off.push_back({word.substr(4)});
  }
  return setting;
}

std::unique_ptr<backend::Backend> OpenNative(const NativeSetting& setting) {
  compiler::pipeline::Pipeline pipeline = setting.pipeline;
  pipeline.push_back({"count", Count, "for tests"});
  const auto exchange = [&](const std::unique_ptr<backend::Backend>&) {
    return backends::native::OpenPipeline(pipeline, setting.options, setting.off, setting.parameters);
  };
  return *backends::Open(*backend::ParseSpec("native:cache=off"), {.wrap = exchange});
}

}  // namespace culprit::tests
