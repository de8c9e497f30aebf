// SPDX-License-Identifier: Apache-2.0
//
// Hostile and clumsy ways to use the program, as a shell would run them, in rows by kind. Each command runs
// in a folder of its own, which holds:
//
//   net.py       a graph: a chain of operators with exp and tanh in it
//   repro.py     the same with a header that records a failure of a fault
//   model.py     a model as TorchScript text          net.pt   the same as an archive
//   evil.so      a library that makes the file `canary` as soon as it is loaded
//   judge.sh     a program that makes the file `canary` when it is run
//   ../outside   a folder that nobody has business in
//
// A command survives if it ends in time with an exit code that says what happened, prints little and nothing
// that could fool a terminal, leaves no file in the temporary folder, no canary and nothing outside.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace culprit::tests {

struct Attempt {
  /// For sh; `culprit` is on its path.
  std::string command;
  /// The exit codes that are an answer: nothing failed, a failure, wrong input.
  std::set<int> codes = {0, 1, 2};
  /// Whether the canary may be made, since the user asked for it.
  bool may_run_code = false;
  /// Whether options may be ones that do not exist: elsewhere such an attempt would try nothing.
  bool may_misspell = false;
};

using Attempts = std::vector<Attempt>;

Attempts BadScripts();
Attempts FileKinds();
Attempts Archives();
Attempts WrongOptions();
Attempts Descriptors();
Attempts FullDisks();
Attempts Kills();
Attempts Limits();
Attempts Plugins();
Attempts Traversal();

/// What is wrong with how it ended; empty if it survived.
std::string Try(const Attempt& attempt);

}  // namespace culprit::tests
