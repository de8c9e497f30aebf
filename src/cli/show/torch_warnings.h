// SPDX-License-Identifier: Apache-2.0
//
// libtorch's warnings in the form of Culprit's own: one line each, and each only once.
#pragma once

namespace culprit::cli {

/// Prints what libtorch warns about on this thread from now on.
void PrintTorchWarnings();

}  // namespace culprit::cli
