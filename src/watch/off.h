// SPDX-License-Identifier: Apache-2.0
//
// While a check runs, nothing that it calls is watched: it compiles and calls the very backends that are, and
// what fails there is its answer.
#pragma once

#include <mutex>
#include <optional>

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

/// A check in a live program: no other thread checks anything until the end of the scope. A check sets what
/// libtorch has once per process, the default dtype and the generator, and puts back what it has found; two
/// at a time would leave the program with what one of them had set. What happens in a check is no call of
/// the program's, and is not counted.
class CheckScope {
 public:
  /// Unless `is_watched`, the watcher is off.
  explicit CheckScope(bool is_watched = false);
  ~CheckScope();
  CheckScope(const CheckScope&) = delete;
  CheckScope& operator=(const CheckScope&) = delete;

 private:
  const std::unique_lock<std::recursive_mutex> alone_;
  std::optional<Off> off_;
};

bool IsInCheck();

}  // namespace culprit::watch
