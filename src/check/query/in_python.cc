// SPDX-License-Identifier: Apache-2.0
#include "check/query/in_python.h"

#include <exception>
#include <functional>

#include "backends/trust.h"
#include "check/query/query.h"
#include "repro/write_repro.h"

namespace culprit::check {

namespace {

/// Of the compiler that the repro names, if Python could call it: with the bugs that were put into it, it
/// could not. Plug-ins are not even loaded.
template <typename Answer>
std::optional<Answer> AskCompiler(const repro::Repro& repro,
                                  const std::function<std::optional<Answer>(const backend::Backend&)>& ask) {
  if (repro.header.backend == "eager" || !repro.header.faults.empty()) return std::nullopt;
  const base::Result<backend::Spec> spec = backend::ParseSpec(repro.header.backend);
  if (!spec.ok() || !backends::CheckFromFile(*spec).ok()) return std::nullopt;
  const auto backend = OpenBackend(repro.header);
  if (!backend.ok()) return std::nullopt;
  try {
    return ask(**backend);
  } catch (const std::exception&) {
    // What the compiler cannot take fails before Python could show it.
    return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> CompiledInPython(const repro::Repro& repro) {
  return AskCompiler<std::string>(repro, [&](const backend::Backend& backend) {
    return backend.InPython(repro.graph, repro.inputs, backend::Graphs::kCaptured);
  });
}

std::optional<backend::PlainProgram> InPlainCalls(const std::string& path, const repro::Repro& repro) {
  return AskCompiler<backend::PlainProgram>(
      repro, [&](const backend::Backend& backend) -> std::optional<backend::PlainProgram> {
        // A text of our own: what stands in the file may be somebody else's.
        const auto script = repro::PrintRepro(path, repro);
        if (!script.ok()) return std::nullopt;
        return backend.InPlainCalls(script->text, repro.header.expected);
      });
}

}  // namespace culprit::check
