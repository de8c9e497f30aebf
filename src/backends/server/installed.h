// SPDX-License-Identifier: Apache-2.0
//
// Servers that users have installed, and name without a slash:
//
//   ~/.config/culprit/servers/NAME.py       a file ($XDG_CONFIG_HOME in place of ~/.config)
//   NAME = module:Class                     an entry point `culprit.servers` of a package in Python's
//   environment
//
// Nothing is run to find them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backends/server/launch.h"

namespace culprit::backends::server {

struct InstalledServer {
  std::string name;
  /// The file, or "module:Class".
  std::string where;
  bool is_file = false;
};

/// Files first; of two with one name the first counts.
std::vector<InstalledServer> InstalledServers(const PythonInterpreter& python);

/// Nothing if none has this name.
std::optional<ServerProgram> InstalledProgram(const std::string& name, const PythonInterpreter& python);

}  // namespace culprit::backends::server
