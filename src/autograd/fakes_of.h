// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.h"

namespace culprit::autograd {

/// Fakes that lie as the values do and share memory as they do, with the same gradness; they are no views.
backend::Values FakesOf(const backend::Values& values);

}  // namespace culprit::autograd
