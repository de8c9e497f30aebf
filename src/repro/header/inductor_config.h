// SPDX-License-Identifier: Apache-2.0
//
// Entries of torch._inductor.config that a file of a stranger may set: a fixed list of booleans, numbers and
// choices, none of which leads to a program, a folder, a cache or another process.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace culprit::repro {

struct ConfigEntry {
  /// As options of the backend have it: 1, 0, none, a number, a word. Nothing if it is no such value.
  std::optional<std::string> value;
  /// It stands in the list, with a value that is allowed there.
  bool is_harmless = false;
  /// What PyTorch 2.13 has without being told, so that nothing has to be set.
  bool is_default = false;
  /// It has an effect before the graph of the file was made, and none behind it.
  bool has_acted = false;
};

/// `name` without the module: "cpp.simdlen". `text` is a literal of Python.
ConfigEntry ReadConfigEntry(std::string_view name, std::string_view text);

/// All names of the list, with spaces between them.
std::string HarmlessConfigNames();

}  // namespace culprit::repro
