// SPDX-License-Identifier: Apache-2.0
#include "backends/native/native.h"

#include "backends/native/native_backend.h"
#include "backends/native/settings.h"

namespace culprit::backends::native {
namespace {

using compiler::pipeline::Pipeline;

std::vector<backend::SwitchDescription> DescribeSwitches() {
  std::vector<backend::SwitchDescription> switches;
  for (const compiler::pipeline::Pass& pass : compiler::pipeline::DefaultPipeline())
    switches.push_back({std::string(pass.name), std::string(pass.line)});
  return switches;
}

}  // namespace

const backend::Description& Native::description() const {
  static const backend::Description description{.name = "native",
                                                .line = "Culprit's own compiler: fused loops, by LLVM",
                                                .options = DescribeOptions(),
                                                .switches = DescribeSwitches(),
                                                .graphs = {backend::Graphs::kAfterAutograd}};
  return description;
}

base::Result<std::unique_ptr<backend::Backend>> Native::Open(
    const backend::Configuration& configuration) const {
  return OpenPipeline(compiler::pipeline::DefaultPipeline(), CULPRIT_TRY(ReadOptions(configuration)),
                      configuration.off(), ReadParameters(configuration));
}

std::unique_ptr<backend::Backend> OpenPipeline(Pipeline pipeline, compiler::pipeline::Options options,
                                               std::vector<backend::SwitchOff> off,
                                               backend::Parameters parameters) {
  return std::make_unique<NativeBackend>(
      Compiler{std::move(pipeline), std::move(options), std::move(off), parameters});
}

}  // namespace culprit::backends::native
