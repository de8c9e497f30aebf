// SPDX-License-Identifier: Apache-2.0
//
// Faults that a caller sees in what comes back: they change the tensors of the guilty outputs
// (faults/wrong_numbers.h). An output that shares memory with an input stays as it is, and so does the memory
// of constants: what is changed is a copy. Outputs that share memory with each other still do, unless they
// are a part of autograd's history or are changed in shape or dtype.
#pragma once

#include "faults/incident.h"

namespace culprit::faults {

void MakeOutputsWrong(Incident& incident);
void MakeOutputsNan(Incident& incident);
void ChangeShapes(Incident& incident);
void ChangeDtypes(Incident& incident);
/// Of what requires a gradient; a graph that computes gradients itself has none.
void MakeGradientsWrong(Incident& incident);
void WriteIntoInput(Incident& incident);

/// From the 2nd call on.
void MakeOutputsWrongLate(Incident& incident);
/// At one call in `argument`, drawn anew each time, also in processes that were forked from one.
void MakeOutputsWrongSometimes(Incident& incident);
/// If a guilty node takes or gives a tensor of more than `argument` elements.
void MakeOutputsWrongAbove(Incident& incident);

}  // namespace culprit::faults
