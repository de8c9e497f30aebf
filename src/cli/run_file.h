// SPDX-License-Identifier: Apache-2.0
//
// `culprit run`: a process for every set of inputs, and for every time. What it shows is text, since a model
// has several graphs whose texts become one.
#pragma once

#include <string>

#include "tasks/children.h"

namespace culprit::cli {

struct RunFileOptions {
  tasks::RunRequest request;
  /// How often each in a process of its own.
  uint64_t times = 1;
  /// How many sets of inputs.
  uint64_t samples = 1;
  bool json = false;
};

struct Shown {
  int status = 0;
  std::string out = {};
  std::string err = {};
};

/// Runs the graph of a script.
Shown RunFile(const tasks::Children& children, RunFileOptions options);

/// Prints it; gives the status.
int Print(const Shown& shown);

/// What is wrong, with its exit code.
Shown ShownError(const base::Diagnostic& error);

}  // namespace culprit::cli
