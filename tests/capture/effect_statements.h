// SPDX-License-Identifier: Apache-2.0
//
// Statements of random programs whose effects others can see: containers, attributes, what is printed, modes.
#pragma once

#include "tests/capture/program_writer.h"

namespace culprit::tests {

void ChangeList(ProgramWriter& w, int& budget);
void ChangeDict(ProgramWriter& w, int& budget);
void ShareList(ProgramWriter& w, int& budget);
void UseSelf(ProgramWriter& w, int& budget);
void Print(ProgramWriter& w, int& budget);
void Warn(ProgramWriter& w, int& budget);
void Fork(ProgramWriter& w, int& budget);
void ChangeProcess(ProgramWriter& w, int& budget);

}  // namespace culprit::tests
