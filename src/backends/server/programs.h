// SPDX-License-Identifier: Apache-2.0
//
// What is started for a backend that lives in a server.
#pragma once

#include <string>

#include "backends/server/launch.h"

namespace culprit::backends::server {

/// A module of Culprit's Python package, run by `python`, or by the interpreter of the environment around
/// this process if that is empty.
ServerProgram PythonProgram(const std::string& name, const std::string& module, const std::string& python);

/// The activated environment's interpreter, else that which Culprit was built with.
std::string FindPython();

/// A class of an installed package, "module:Class".
ServerProgram ClassProgram(const std::string& name, const std::string& where);

/// A file of Python, by the interpreter of the environment around this process. The package is there to be
/// imported, the folder of the file is not.
base::Result<ServerProgram> FileProgram(const std::string& file);

/// Any program: words with spaces between them.
ServerProgram CommandProgram(const std::string& name, const std::string& command);

}  // namespace culprit::backends::server
