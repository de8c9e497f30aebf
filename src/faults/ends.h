// SPDX-License-Identifier: Apache-2.0
//
// Faults that end a compilation or a call, and mostly the process: real crashes, not messages about them.
// This is the one place outside of programs where Culprit may call exit.
#pragma once

#include "faults/incident.h"

namespace culprit::faults {

void ThrowCompileError(Incident& incident);
void ThrowRuntimeError(Incident& incident);
/// Something that is no std::exception.
void ThrowInteger(Incident& incident);
void WriteToNull(Incident& incident);
void Abort(Incident& incident);
void OverflowStack(Incident& incident);
void SleepForever(Incident& incident);
/// Until there is no more; then it throws std::bad_alloc, unless the process was ended before.
void EatMemory(Incident& incident);
void ExitWith0(Incident& incident);
void ExitWith7(Incident& incident);

}  // namespace culprit::faults
