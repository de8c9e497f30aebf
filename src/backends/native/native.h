// SPDX-License-Identifier: Apache-2.0
//
// Backend `native`: Culprit's own compiler. Graphs below autograd become loops, loops become kernels, and
// LLVM makes machine code of them (compiler/pipeline/pipeline.h).
#pragma once

#include "backend/backend.h"
#include "compiler/pipeline/pipeline.h"

namespace culprit::backends::native {

class Native : public backend::Kind {
 public:
  const backend::Description& description() const override;
  base::Result<std::unique_ptr<backend::Backend>> Open(
      const backend::Configuration& configuration) const override;
};

/// With other passes, for tests.
std::unique_ptr<backend::Backend> OpenPipeline(compiler::pipeline::Pipeline pipeline,
                                               compiler::pipeline::Options options = {},
                                               std::vector<backend::SwitchOff> off = {},
                                               backend::Parameters parameters = backend::Parameters::kLifted);

}  // namespace culprit::backends::native
