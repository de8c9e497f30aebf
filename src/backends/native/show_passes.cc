// SPDX-License-Identifier: Apache-2.0
#include "backends/native/show_passes.h"

#include <fmt/format.h>

#include <set>

#include "backend/insight.h"

namespace culprit::backends::native {
namespace {

using compiler::pipeline::Compilation;
using compiler::schedule::KernelStep;

// "; sum: net.py:12 in forward", one line for each value.
std::string OriginText(const Compilation& compilation, const KernelStep& step, std::string_view comment) {
  std::string text;
  for (const compiler::loops::ValueIndex index : step.origins) {
    const compiler::loops::Value& value = (*compilation.program)[index];
    const auto node = value.origin();
    const graph::ModelLine line = node ? compilation.program->graph->node(*node).model_line : nullptr;
    text += fmt::format("{} {}{}\n", comment, value.name, line ? ": " + *line : "");
  }
  return text;
}

}  // namespace

void ShowPasses::Before(const Compilation& compilation) {
  backend::ShowInsight("00_before.txt", ToText(compilation));
}

void ShowPasses::After(const compiler::pipeline::Pass& pass, const Compilation& compilation, double seconds) {
  const std::string text = fmt::format("# {}, {:.3f} ms\n{}", pass.name, seconds * 1e3, ToText(compilation));
  backend::ShowInsight(fmt::format("{:02}_{}.txt", ++number_, pass.name), text);
  if (!compilation.code.empty()) ShowKernels(compilation);
}

void ShowPasses::ShowKernels(const Compilation& compilation) {
  for (const compiler::schedule::Step& step : compilation.schedule->steps) {
    const auto* kernel = std::get_if<KernelStep>(&step);
    if (kernel == nullptr || !compilation.code[kernel->kernel]) continue;
    compiler::codegen::Listing listing;
    Generate(compilation.schedule->kernels[kernel->kernel], compilation.options.code, &listing);
    const std::string name = fmt::format("kernel_{}", kernel->kernel);
    backend::ShowInsight(name + ".ll", OriginText(compilation, *kernel, ";") + listing.ir);
    backend::ShowInsight(name + ".s", OriginText(compilation, *kernel, "#") + listing.assembly);
  }
}

}  // namespace culprit::backends::native
