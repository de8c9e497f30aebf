// SPDX-License-Identifier: Apache-2.0
#include "backends/native/native_backend.h"

#include <algorithm>

#include "base/internal_error.h"

namespace culprit::backends::native {

std::unique_ptr<backend::Compiled> NativeBackend::Compile(graph::Graph graph, const backend::Values& inputs) {
  return std::make_unique<NativeCompiled>(compiler_, std::move(graph), inputs);
}

void NativeBackend::ReplacePass(std::string_view name, const Exchange& exchange) {
  const auto pass = std::ranges::find(compiler_.pipeline, name, &compiler::pipeline::Pass::name);
  CULPRIT_CHECK(pass != compiler_.pipeline.end(), "no pass '{}'", name);
  *pass = exchange(*pass);
}

}  // namespace culprit::backends::native
