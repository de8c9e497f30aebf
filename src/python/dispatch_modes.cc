// SPDX-License-Identifier: Apache-2.0
#include "python/dispatch_modes.h"

#include <utility>

#include "watch/session/not_watched.h"

namespace culprit::python {
namespace {

using Modes = c10::impl::TorchDispatchModeTLS;

/// Null if there are none, or none that were set aside.
thread_local const Modes* of_program = nullptr;

}  // namespace

ModesAside::ModesAside() {
  if (!Modes::any_modes_set()) return;
  modes_ = Modes::get_state();
  Modes::set_state({});
  outer_ = std::exchange(of_program, &*modes_);
}

ModesAside::~ModesAside() {
  if (!modes_) return;
  of_program = outer_;
  Modes::set_state(*std::move(modes_));
}

ModesOfProgram::ModesOfProgram() : are_set_(of_program != nullptr && !watch::IsInCheck()) {
  if (are_set_) Modes::set_state(*of_program);
}

ModesOfProgram::~ModesOfProgram() {
  if (are_set_) Modes::set_state({});
}

}  // namespace culprit::python
