// SPDX-License-Identifier: Apache-2.0
//
// While a check runs, nothing that it calls is watched: it compiles and calls the very backends that are, and
// what fails there is its answer.
#pragma once

namespace culprit::watch {

/// For this thread, until the end of the scope.
class Off {
 public:
  Off();
  ~Off();
  Off(const Off&) = delete;
  Off& operator=(const Off&) = delete;
};

bool IsOff();

}  // namespace culprit::watch
