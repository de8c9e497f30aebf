// SPDX-License-Identifier: Apache-2.0
#include "check/query/in_python.h"

#include <exception>

#include "backends/trust.h"
#include "check/query/query.h"

namespace culprit::check {

std::optional<std::string> CompiledInPython(const repro::Repro& repro) {
  if (repro.header.backend == "eager" || !repro.header.faults.empty()) return std::nullopt;
  const base::Result<backend::Spec> spec = backend::ParseSpec(repro.header.backend);
  if (!spec.ok() || !backends::CheckFromFile(*spec).ok()) return std::nullopt;
  const auto backend = OpenBackend(repro.header);
  if (!backend.ok()) return std::nullopt;
  try {
    return (*backend)->InPython(repro.graph, repro.inputs, backend::Graphs::kCaptured);
  } catch (const std::exception&) {
    // What the compiler cannot take fails before Python could show it.
    return std::nullopt;
  }
}

}  // namespace culprit::check
