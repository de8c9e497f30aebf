// SPDX-License-Identifier: Apache-2.0
#include "backend/configuration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace culprit::backend {
namespace {

base::Diagnostic Wrong(const std::string& backend, std::string message) {
  base::Diagnostic error{{fmt::format("backend '{}'", backend)}, std::move(message)};
  error.help = fmt::format("to see its options and switches, run: culprit backends {}", backend);
  return error;
}

template <typename Named>
std::vector<std::string_view> NamesOf(const std::vector<Named>& list) {
  std::vector<std::string_view> names;
  names.reserve(list.size());
  for (const Named& one : list) names.push_back(one.name);
  return names;
}

const OptionDescription* FindOption(const Description& description, std::string_view name) {
  const auto found = std::ranges::find(description.options, name, &OptionDescription::name);
  return found == description.options.end() ? nullptr : &*found;
}

base::Status CheckSwitches(const Spec& spec, const Description& description) {
  for (const SwitchOff& off : spec.off) {
    if (std::ranges::count(description.switches, off.name, &SwitchDescription::name) == 1) continue;
    return Wrong(spec.name, fmt::format("unknown switch '{}'{}", base::Shortened(off.name),
                                        base::DidYouMean(off.name, NamesOf(description.switches))));
  }
  return base::Done{};
}

}  // namespace

base::Result<Configuration> Configuration::Make(const Spec& spec, const Description& description) {
  Configuration made;
  made.backend_ = spec.name;
  for (const OptionSetting& setting : spec.options) {
    const OptionDescription* option = FindOption(description, setting.name);
    if (option == nullptr) {
      return Wrong(spec.name, fmt::format("unknown option '{}'{}", base::Shortened(setting.name),
                                          base::DidYouMean(setting.name, NamesOf(description.options))));
    }
    const auto& choices = option->choices;
    if (!choices.empty() && std::ranges::count(choices, setting.value) == 0) {
      return Wrong(spec.name, fmt::format("option '{}' is one of {}, not '{}'", setting.name,
                                          fmt::join(choices, ", "), base::Shortened(setting.value)));
    }
    if (!made.options_.emplace(setting.name, setting.value).second) {
      return Wrong(spec.name, fmt::format("option '{}' is given twice", setting.name));
    }
  }
  CULPRIT_TRY(CheckSwitches(spec, description));
  for (const OptionDescription& option : description.options) {
    made.options_.emplace(option.name, option.default_value);
  }
  made.off_ = spec.off;
  return made;
}

const std::string& Configuration::operator[](std::string_view option) const {
  const auto found = options_.find(option);
  CULPRIT_CHECK(found != options_.end(), "backend '{}' does not describe its option '{}'", backend_, option);
  return found->second;
}

base::Result<int64_t> Configuration::Integer(std::string_view option, int64_t least, int64_t most) const {
  const std::string& text = (*this)[option];
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && value >= least && value <= most) return value;
  return Wrong(backend_,
               fmt::format("option '{}' is a number from {} to {}, not '{}'", option, least, most, text));
}

bool SwitchBoard::Apply(std::string_view name) {
  const auto counter = applications_.try_emplace(std::string(name), 0).first;
  const uint64_t nth = ++counter->second;
  return std::ranges::none_of(off_,
                              [&](const SwitchOff& off) { return off.name == name && off.Covers(nth); });
}

}  // namespace culprit::backend
