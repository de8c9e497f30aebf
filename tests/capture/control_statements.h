// SPDX-License-Identifier: Apache-2.0
//
// Statements of random programs that decide what happens next: branches, loops, and ways to leave them.
#pragma once

#include "tests/capture/program_writer.h"

namespace culprit::tests {

void If(ProgramWriter& w, int& budget);
void For(ProgramWriter& w, int& budget);
void While(ProgramWriter& w, int& budget);
void LeaveLoop(ProgramWriter& w, int& budget);
void Return(ProgramWriter& w, int& budget);
void With(ProgramWriter& w, int& budget);
void Assert(ProgramWriter& w, int& budget);
void Raise(ProgramWriter& w, int& budget);
void Refuse(ProgramWriter& w, int& budget);

}  // namespace culprit::tests
