// SPDX-License-Identifier: Apache-2.0
//
// Backend `eager`: the graph as libtorch computes it, operator by operator. It compiles nothing, so it is the
// control of every experiment: what fails with it is no compiler's fault.
#pragma once

#include "backend/backend.h"

namespace culprit::backends::eager {

class Eager : public backend::Kind {
 public:
  const backend::Description& description() const override;
  base::Result<std::unique_ptr<backend::Backend>> Open(
      const backend::Configuration& configuration) const override;
};

}  // namespace culprit::backends::eager
