// SPDX-License-Identifier: Apache-2.0
//
// Short graphs (short_graph.h) through the pipeline of the native compiler.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/pipeline/pipeline.h"
#include "tests/lib/short_graph.h"

namespace culprit::tests {

inline compiler::pipeline::Options WithoutCache() {
  compiler::pipeline::Options options;
  options.cache.use = compiler::jit::CacheUse::kOff;
  return options;
}

inline std::unique_ptr<compiler::run::Executable> CompileShort(
    const std::string& text, const backend::Values& inputs,
    compiler::pipeline::Options options = WithoutCache(), std::vector<backend::SwitchOff> off = {},
    compiler::pipeline::PassObserver* observer = nullptr) {
  backend::SwitchBoard switches(std::move(off));
  const auto graph = std::make_shared<graph::Graph>(ShortGraph(text));
  return Compile({.options = std::move(options), .inputs = inputs, .graph = graph},
                 compiler::pipeline::DefaultPipeline(), switches, observer);
}

}  // namespace culprit::tests
