// SPDX-License-Identifier: Apache-2.0
//
// Servers run as long as the process that started them. They wait at a socket whose name this process and
// its children know (isolate/wire/session_name.h); each query gets a child of the server.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "isolate/wire/descriptor.h"

namespace culprit::backends::server {

/// Of Python.
struct PythonInterpreter {
  std::string path;
  /// The user has named it (`python=PATH`); otherwise it is that of the environment around this process.
  bool is_chosen = false;
};

/// A program that serves: descriptor 3 is a listening socket, standard input ends when Culprit does.
struct ServerProgram {
  /// For errors: the backend's name.
  std::string name;
  std::vector<std::string> command;
  /// "NAME=value", beside the environment of this process.
  std::vector<std::string> environment = {};
  /// Nothing: it is not written in Python, or its command names the interpreter.
  std::optional<PythonInterpreter> python = std::nullopt;
};

/// A connection to the program's server, which is started if none runs yet.
base::Result<isolate::Descriptor> ConnectToServer(const ServerProgram& program);

/// What the server printed so far, if this process has started it.
std::string OutputOfServer(const ServerProgram& program);

}  // namespace culprit::backends::server
