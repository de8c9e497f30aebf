// SPDX-License-Identifier: Apache-2.0
//
// Statements of random programs that compute: tensors, numbers, tuples and objects in all the ways there are.
#pragma once

#include "tests/capture/program_writer.h"

namespace culprit::tests {

void Assign(ProgramWriter& w, int& budget);
void Alias(ProgramWriter& w, int& budget);
void WriteInPlace(ProgramWriter& w, int& budget);
void UseOptional(ProgramWriter& w, int& budget);
void UseTuple(ProgramWriter& w, int& budget);
void Unpack(ProgramWriter& w, int& budget);
void UseObject(ProgramWriter& w, int& budget);
void UseInterface(ProgramWriter& w, int& budget);
void Search(ProgramWriter& w, int& budget);
void LookUp(ProgramWriter& w, int& budget);
void UseUnusualTensor(ProgramWriter& w, int& budget);
void UseNumbers(ProgramWriter& w, int& budget);

}  // namespace culprit::tests
