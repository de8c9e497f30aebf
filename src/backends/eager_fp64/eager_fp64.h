// SPDX-License-Identifier: Apache-2.0
//
// Backend `eager-fp64`: the graph as libtorch computes it in float64, with results in the dtypes that the
// graph has. What differs from `eager` here is rounding: a graph that fails with this backend is too
// sensitive for any compiler that rounds differently.
#pragma once

#include "backend/backend.h"

namespace culprit::backends::eager_fp64 {

class EagerFp64 : public backend::Kind {
 public:
  const backend::Description& description() const override;
  base::Result<std::unique_ptr<backend::Backend>> Open(
      const backend::Configuration& configuration) const override;
};

}  // namespace culprit::backends::eager_fp64
