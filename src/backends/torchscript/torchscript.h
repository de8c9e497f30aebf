// SPDX-License-Identifier: Apache-2.0
//
// Backend `torchscript`: the compilers that libtorch itself has. The graph becomes a TorchScript function, is
// optimised as far as the stage says, and runs in one of TorchScript's executors.
//
//   graph  =>  parameters become constants (stages freeze and ofi; graph/passes/freeze_placeholders.h)
//          =>  forms that TorchScript's passes know (raise.h)
//          =>  TorchScript (build_graph.h)
//          =>  the passes of the stage (passes.h)
//          =>  a function (compiled.h), called with the flags that the stage needs (flag_scope.h)
#pragma once

#include "backend/backend.h"

namespace culprit::backends::torchscript {

class TorchScript : public backend::Kind {
 public:
  const backend::Description& description() const override;
  base::Result<std::unique_ptr<backend::Backend>> Open(
      const backend::Configuration& configuration) const override;
};

}  // namespace culprit::backends::torchscript
