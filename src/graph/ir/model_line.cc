// SPDX-License-Identifier: Apache-2.0
#include "graph/ir/model_line.h"

#include <fmt/format.h>

namespace culprit::graph {
namespace {

constexpr std::string_view kModule = ", module: ";
constexpr std::string_view kCode = ", code: ";

}  // namespace

std::string ModelPlace::ToString() const {
  return fmt::format("{}:{} in {}{}{}{}{}", file, line, function, module.empty() ? "" : kModule, module,
                     code.empty() ? "" : kCode, code);
}

std::string ModuleOf(std::string_view model_line) {
  // The code may hold any text.
  const std::string_view place = model_line.substr(0, model_line.find(kCode));
  const size_t module = place.rfind(kModule);
  return module == std::string_view::npos ? "" : std::string(place.substr(module + kModule.size()));
}

}  // namespace culprit::graph
