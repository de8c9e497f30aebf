// SPDX-License-Identifier: Apache-2.0
//
// Calls of a model mostly give the same again: then the results of a further call need no memory of their
// own.
#pragma once

#include "check/model/run_end.h"

namespace culprit::check {

/// Lets the results of a further call lie in the memory of the first one's, where both hold the same bytes in
/// the same place, and frees the rest. Whoever compares storages sees no difference: what shared memory
/// shares it still, and what did not does not. For results that nobody writes into any more.
void ShareRepeated(const Results& first, Results& further);

/// The results of a call as those of a further one that gave the same, which does not have to be made. They
/// lie in the same memory, on storages of their own. What lies on storages that another run of the model has
/// in its results, too, lies there still: those of inputs and of constants.
Results Repeated(const Results& first, const Results& of_another_run);

}  // namespace culprit::check
