// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/Generator.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "graph/fake/kernels/kernels.h"

namespace culprit::graph::fake {
namespace {

using OptionalGenerator = std::optional<at::Generator>;

// The dispatcher wants generators by value.
// NOLINTBEGIN(performance-unnecessary-value-param)
at::Tensor Multinomial(const at::Tensor& self, int64_t samples, bool replacement, OptionalGenerator) {
  TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "prob_dist must be 1 or 2 dim");
  TORCH_CHECK(at::isFloatingType(self.scalar_type()), "multinomial only supports floating-point dtypes");
  TORCH_CHECK(samples > 0, "cannot sample n_sample <= 0 samples");
  TORCH_CHECK(replacement || samples <= self.size(-1),
              "cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  std::vector<int64_t> sizes = self.sizes().vec();
  sizes.back() = samples;
  return at::empty(sizes, self.options().dtype(at::kLong));
}

at::Tensor Poisson(const at::Tensor& self, OptionalGenerator) {
  return at::empty(self.sizes(), self.options());
}

at::Tensor Binomial(const at::Tensor& count, const at::Tensor&, OptionalGenerator) {
  return at::empty(count.sizes(), count.options());
}
// NOLINTEND(performance-unnecessary-value-param)

}  // namespace

void AddRandoms(torch::Library& library) {
  library.impl("multinomial", Multinomial);
  library.impl("poisson", Poisson);
  library.impl("binomial", Binomial);
}

}  // namespace culprit::graph::fake
