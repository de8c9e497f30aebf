// SPDX-License-Identifier: Apache-2.0
//
// A backend as users write it, the same on the command line, in C++ and in repros:
//
//   torchscript                                    with its defaults
//   torchscript:stage=ofi,calls=3                  with options
//   torchscript:stage=ofi,off=convert_to_mkldnn    without one of its passes
//   native:off=fuse@3,off=codegen@5+               without the 3rd of one, and the 5th and later of another
//   ./libmine.so:level=2                           a compiler in a shared library: a name with a slash
//   ./mine.py:level=2                              a compiler server in Python: one that ends with .py
//   inductor:python=/opt/env/bin/python            a server in Python, run in another environment
//   exec:ssh there mine --serve:level=2            a command that starts a server
//
// Options begin at the first colon behind the last slash; those of a command at the first colon that a key
// and `=` follow. In a value, `\,` is a comma and `\\` a backslash.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace culprit::backend {

struct OptionSetting {
  std::string name;
  std::string value;
  bool operator==(const OptionSetting&) const = default;
};

/// A switch that is off: always, at one application (counted from 1), or from one on.
struct SwitchOff {
  std::string name;
  std::optional<uint64_t> application = std::nullopt;
  bool and_later = false;
  bool operator==(const SwitchOff&) const = default;

  bool Covers(uint64_t nth) const {
    return !application || nth == *application || (and_later && nth > *application);
  }
};

/// The option of every server in Python that names its interpreter, and with it another environment.
inline constexpr std::string_view kPythonOption = "python";

struct Spec {
  std::string name;
  /// As written, in order.
  std::vector<OptionSetting> options = {};
  std::vector<SwitchOff> off = {};
  bool operator==(const Spec&) const = default;

  /// What ParseSpec reads: options first, then switches.
  std::string ToString() const;
  /// A plug-in, or a server in Python.
  bool names_file() const;
  bool names_server_file() const;
  /// That starts a server; nothing if the name is none.
  std::optional<std::string> command() const;
};

base::Result<Spec> ParseSpec(std::string_view text);

}  // namespace culprit::backend
