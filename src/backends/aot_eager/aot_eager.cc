// SPDX-License-Identifier: Apache-2.0
#include "backends/aot_eager/aot_eager.h"

#include "backends/eager/eager.h"

namespace culprit::backends::aot_eager {

const backend::Description& AotEager::description() const {
  static const backend::Description description{
      .name = "aot-eager",
      .line = "forward and backward graphs of autograd, operator by operator",
      .graphs = {backend::Graphs::kAfterAutograd}};
  return description;
}

base::Result<std::unique_ptr<backend::Backend>> AotEager::Open(
    const backend::Configuration& configuration) const {
  return eager::Eager().Open(configuration);
}

}  // namespace culprit::backends::aot_eager
