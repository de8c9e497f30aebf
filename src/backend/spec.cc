// SPDX-License-Identifier: Apache-2.0
#include "backend/spec.h"

#include <fmt/format.h>

#include <charconv>

#include "base/text.h"

namespace culprit::backend {
namespace {

constexpr std::string_view kOff = "off";
constexpr std::string_view kCommand = "exec:";

std::string Escaped(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == ',' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escapes =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\\');
    if (escapes) {
      parts.back() += text[++i];
    } else if (text[i] == ',') {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

base::Diagnostic Wrong(std::string_view text, std::string message) {
  base::Diagnostic error{{fmt::format("backend '{}'", base::Shortened(text))}, std::move(message)};
  error.help = "a backend is written as NAME or NAME:key=value,...; to see them all, run: culprit backends";
  return error;
}

/// `name`, `name@3` or `name@3+`.
std::optional<SwitchOff> ParseSwitch(std::string_view text) {
  const size_t at = text.find('@');
  SwitchOff off{std::string(text.substr(0, at))};
  if (off.name.empty()) return std::nullopt;
  if (at == std::string_view::npos) return off;
  std::string_view number = text.substr(at + 1);
  off.and_later = number.ends_with('+');
  if (off.and_later) number.remove_suffix(1);
  uint64_t application = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), application);
  if (error != std::errc() || end != number.data() + number.size() || application == 0) return std::nullopt;
  off.application = application;
  return off;
}

bool BeginsWithKey(std::string_view text) {
  const size_t end =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
  return end != 0 && end != std::string_view::npos && text[end] == '=';
}

/// Of the colon in front of the options.
size_t FindOptions(std::string_view text) {
  if (!text.starts_with(kCommand)) {
    const size_t slash = text.rfind('/', text.find('='));
    return text.find(':', slash == std::string_view::npos ? 0 : slash);
  }
  size_t colon = text.find(':', kCommand.size());
  while (colon != std::string_view::npos && !BeginsWithKey(text.substr(colon + 1)))
    colon = text.find(':', colon + 1);
  return colon;
}

}  // namespace

std::string Spec::ToString() const {
  std::string text = name;
  char separator = ':';
  for (const OptionSetting& option : options) {
    text += fmt::format("{}{}={}", separator, option.name, Escaped(option.value));
    separator = ',';
  }
  for (const SwitchOff& one : off) {
    text += fmt::format("{}{}={}", separator, kOff, Escaped(one.name));
    if (one.application) text += fmt::format("@{}{}", *one.application, one.and_later ? "+" : "");
    separator = ',';
  }
  return text;
}

std::optional<std::string> Spec::command() const {
  if (!name.starts_with(kCommand)) return std::nullopt;
  return name.substr(kCommand.size());
}

bool Spec::names_file() const {
  return !command() && name.find('/') != std::string::npos;
}

bool Spec::names_server_file() const {
  return names_file() && name.ends_with(".py");
}

base::Result<Spec> ParseSpec(std::string_view text) {
  const size_t colon = FindOptions(text);
  Spec spec{std::string(text.substr(0, colon))};
  if (spec.name.empty() || spec.name == kCommand)
    return Wrong(text, "there is no name in front of the options");
  if (colon == std::string_view::npos) return spec;
  for (const std::string& part : SplitAtCommas(text.substr(colon + 1))) {
    const size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Wrong(text,
                   fmt::format("'{}' is no option, which would be written key=value", base::Shortened(part)));
    }
    OptionSetting option{part.substr(0, equals), part.substr(equals + 1)};
    if (option.name != kOff) {
      spec.options.push_back(std::move(option));
      continue;
    }
    const std::optional<SwitchOff> off = ParseSwitch(option.value);
    if (!off) {
      return Wrong(text, fmt::format("'{}' is no switch, which would be written NAME, NAME@N or NAME@N+",
                                     base::Shortened(option.value)));
    }
    spec.off.push_back(*off);
  }
  return spec;
}

}  // namespace culprit::backend
