// SPDX-License-Identifier: Apache-2.0
//
// A cut takes tensors from a recording, which knows nothing of autograd. What depended on an input that wants
// a gradient wants one itself when it becomes an input, or a wrong gradient would be gone with the first cut.
//
//   forward(x): a = sin(x); b = exp(a)     x wants a gradient
//   keep b   =>   forward(a): b = exp(a)   a wants a gradient
#pragma once

#include "minify/program/program.h"

namespace culprit::minify {

/// `cut` has inputs with the names that their values have in `source`.
void KeepGradients(const Program& source, Program& cut);

}  // namespace culprit::minify
