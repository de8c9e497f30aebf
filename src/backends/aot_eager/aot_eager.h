// SPDX-License-Identifier: Apache-2.0
//
// Backend `aot-eager`: the graphs that autograd makes of a graph, forward and backward, as libtorch computes
// them, operator by operator. What fails with it and not with `eager` is the fault of the split, not of a
// compiler.
#pragma once

#include "backend/backend.h"

namespace culprit::backends::aot_eager {

class AotEager : public backend::Kind {
 public:
  const backend::Description& description() const override;
  base::Result<std::unique_ptr<backend::Backend>> Open(
      const backend::Configuration& configuration) const override;
};

}  // namespace culprit::backends::aot_eager
