// SPDX-License-Identifier: Apache-2.0
//
// While a check runs, nothing that it calls is watched: it compiles and calls the very backends that are, and
// what fails there is its answer.
#pragma once

#include <mutex>

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

/// A check in a live program: nothing is watched, and there is no other check in the process until the end of
/// the scope. A check sets what libtorch has once per process, the default dtype and the generator, and puts
/// back what it has found; two at a time would leave the program with what one of them had set.
class CheckScope {
 public:
  CheckScope();

 private:
  const Off off_;
  const std::unique_lock<std::mutex> alone_;
};

}  // namespace culprit::watch
