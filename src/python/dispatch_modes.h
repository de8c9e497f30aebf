// SPDX-License-Identifier: Apache-2.0
//
// Modes of torch_dispatch that the program has on, such as counters and tracers: what the watcher computes is
// not for them, what was compiled is.
#pragma once

#include <c10/core/impl/TorchDispatchModeTLS.h>

#include <optional>

namespace culprit::python {

/// Until the end of the scope there are none, in this thread.
class ModesAside {
 public:
  ModesAside();
  ~ModesAside();
  ModesAside(const ModesAside&) = delete;
  ModesAside& operator=(const ModesAside&) = delete;

 private:
  std::optional<c10::impl::TorchDispatchModeTLS> modes_;
  const c10::impl::TorchDispatchModeTLS* outer_ = nullptr;
};

/// Until the end of the scope they are as the program has them, unless this is a call of a check.
class ModesOfProgram {
 public:
  ModesOfProgram();
  ~ModesOfProgram();
  ModesOfProgram(const ModesOfProgram&) = delete;
  ModesOfProgram& operator=(const ModesOfProgram&) = delete;

 private:
  bool are_set_ = false;
};

}  // namespace culprit::python
