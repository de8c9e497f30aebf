// SPDX-License-Identifier: Apache-2.0
//
// What a program may leave behind otherwise when its graphs are split into forward and backward, because a
// graph is one function for autograd then. Only errors are about it, and what was done before them:
//
//   - backward refuses since something was written into: the text names another tensor and other versions. A
//     base is saved in place of its view, and a graph has one version for all its writes
//   - libtorch refuses, for that or because it has freed what it saved, and the compiled backward does not:
//   it
//     saves nothing that it does not need. The other way round is a mistake, unless backward recomputes: it
//     saves what was written into in place of what was computed of it
//   - both refuse, one for the first reason, the other for the second
//   - the class of the exception that backward throws
//   - gradients that were added up before backward failed
//   - writes into inputs and attributes before the call failed: those of the failing graph have not arrived.
//     What a later call makes of such an object cannot be compared
#pragma once

#include "tests/capture/observe.h"

namespace culprit::tests {

struct Forgiven {
  /// What is expected, with all that is forgiven as it is in the other one.
  Observation wanted;
  /// Whether writes are among it.
  bool has_lost_writes = false;
};

Forgiven Forgive(const Observation& expected, const Observation& actual, bool recomputes);

}  // namespace culprit::tests
