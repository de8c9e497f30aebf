// SPDX-License-Identifier: Apache-2.0
#include "backends/trust.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/table.h"
#include "base/shell_word.h"
#include "base/text.h"

namespace culprit::backends {
namespace {

base::Diagnostic NeedsTrust(const backend::Spec& spec, std::string message) {
  base::Diagnostic error{{}, std::move(message)};
  error.notes.emplace_back("whoever wrote the file could run any code that way");
  error.help = fmt::format("if you trust it, add: --trust; to name the compiler yourself, add: --backend {}",
                           base::ShellWord(spec.ToString()));
  return error;
}

bool MayComeFromFile(const backend::Description& description, const backend::OptionSetting& setting) {
  const auto found = std::ranges::find(description.options, setting.name, &backend::OptionDescription::name);
  return found == description.options.end() || found->from_file == backend::FromFile::kUse;
}

}  // namespace

base::Status CheckFromFile(const backend::Spec& spec) {
  if (spec.names_file() || spec.command()) {
    const char* kind = spec.names_server_file() || spec.command() ? "server" : "plug-in";
    return NeedsTrust(spec, fmt::format("the file asks for the {} '{}'", kind, base::Shortened(spec.name)));
  }
  const auto needs_trust = [&](const backend::OptionSetting& setting) {
    return NeedsTrust(spec, fmt::format("the file sets option '{}' of backend '{}' to '{}'", setting.name,
                                        spec.name, base::Shortened(setting.value)));
  };
  // That program is not started to find out what else may be set.
  for (const backend::OptionSetting& setting : spec.options)
    if (setting.name == backend::kPythonOption) return needs_trust(setting);
  const base::Result<backend::Description> description = Describe(spec.name);
  if (!description.ok()) return base::Done{};
  for (const backend::OptionSetting& setting : spec.options)
    if (!MayComeFromFile(*description, setting)) return needs_trust(setting);
  return base::Done{};
}

}  // namespace culprit::backends
