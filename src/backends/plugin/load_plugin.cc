// SPDX-License-Identifier: Apache-2.0
#include "backends/plugin/load_plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "process/shared_library.h"

namespace culprit::backends::plugin {
namespace {

using base::Diagnostic;

// Up to and with the last member of the first version; what is behind it may be missing.
constexpr size_t kSmallestPlugin = offsetof(CulpritPlugin, destroy) + sizeof(CulpritPlugin::destroy);

Diagnostic WithHelp(Diagnostic error) {
  error.help = "to see how a plug-in is written, read docs/backends.md";
  return error;
}

base::Status CheckVersion(const std::string& path, const CulpritPlugin* plugin) {
  if (plugin != nullptr && plugin->abi_version == CULPRIT_ABI_VERSION) return base::Done{};
  const std::string its_version = plugin == nullptr ? "another" : std::to_string(plugin->abi_version);
  Diagnostic error{{path},
                   fmt::format("the plug-in is for version {} of culprit/backend.h, and this is version {}",
                               its_version, CULPRIT_ABI_VERSION)};
  error.help = "build it with the header of this Culprit";
  return error;
}

base::Status CheckMembers(const std::string& path, const CulpritPlugin& plugin) {
  if (plugin.struct_size < kSmallestPlugin) {
    return WithHelp(
        {{path},
         fmt::format("struct_size of the plug-in is {}, less than {}", plugin.struct_size, kSmallestPlugin)});
  }
  const struct {
    const char* name;
    bool is_there;
  } members[] = {{"name", plugin.name != nullptr},
                 {"line", plugin.line != nullptr},
                 {"compile", plugin.compile != nullptr},
                 {"call", plugin.call != nullptr}};
  for (const auto& member : members) {
    if (!member.is_there) return WithHelp({{path}, fmt::format("the plug-in has no '{}'", member.name)});
  }
  for (const CulpritOption* option = plugin.options; option != nullptr && option->name != nullptr; ++option) {
    if (option->default_value == nullptr || option->line == nullptr)
      return WithHelp(
          {{path}, fmt::format("option '{}' of the plug-in has no default or no line", option->name)});
  }
  for (const CulpritSwitch* one = plugin.switches; one != nullptr && one->name != nullptr; ++one) {
    if (one->line == nullptr)
      return WithHelp({{path}, fmt::format("switch '{}' of the plug-in has no line", one->name)});
  }
  return base::Done{};
}

}  // namespace

base::Result<const CulpritPlugin*> LoadPlugin(const std::string& path) {
  void* library = CULPRIT_TRY(process::LoadSharedLibrary(path));
  const auto entry = reinterpret_cast<decltype(&culprit_plugin)>(dlsym(library, "culprit_plugin"));
  if (entry == nullptr)
    return WithHelp({{path}, "is no plug-in of Culprit: it has no function 'culprit_plugin'"});
  const CulpritPlugin* plugin = entry(CULPRIT_ABI_VERSION);
  CULPRIT_TRY(CheckVersion(path, plugin));
  CULPRIT_TRY(CheckMembers(path, *plugin));
  return plugin;
}

backend::Description Describe(const CulpritPlugin& plugin, std::string name) {
  backend::Description description{std::move(name), fmt::format("{}: {}", plugin.name, plugin.line)};
  for (const CulpritOption* option = plugin.options; option != nullptr && option->name != nullptr; ++option) {
    std::vector<std::string> choices;
    for (const char* const* choice = option->choices; choice != nullptr && *choice != nullptr; ++choice)
      choices.emplace_back(*choice);
    description.options.push_back({option->name, option->default_value, option->line, std::move(choices)});
  }
  for (const CulpritSwitch* one = plugin.switches; one != nullptr && one->name != nullptr; ++one)
    description.switches.push_back({one->name, one->line});
  description.graphs = {backend::Graphs::kCaptured, backend::Graphs::kAfterAutograd};
  return description;
}

}  // namespace culprit::backends::plugin
