// SPDX-License-Identifier: Apache-2.0
//
// What is started for a backend that lives in a server.
#pragma once

#include <string>
#include <string_view>

#include "backend/spec.h"
#include "backends/server/launch.h"
#include "base/result.h"

namespace culprit::backends::server {

/// The one that the backend's options name, else that of the activated environment, else that which Culprit
/// was built with.
base::Result<PythonInterpreter> InterpreterFor(const backend::Spec& spec);
PythonInterpreter InterpreterAround();

/// A module of Culprit's Python package.
ServerProgram ModuleProgram(const std::string& name, const std::string& module,
                            const PythonInterpreter& python);

/// A class of an installed package, "module:Class".
ServerProgram ClassProgram(const std::string& name, const std::string& where,
                           const PythonInterpreter& python);

/// A file of Python. The package is there to be imported, the folder of the file is not.
base::Result<ServerProgram> FileProgram(const std::string& file, const PythonInterpreter& python);

/// Any program: words with spaces between them.
ServerProgram CommandProgram(const std::string& name, const std::string& command);

}  // namespace culprit::backends::server
