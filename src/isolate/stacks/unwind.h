// SPDX-License-Identifier: Apache-2.0
//
// Stacks as a signal handler can take them. libgcc unwinds; with glibc 2.35 it takes no lock, unless the
// program registers the frames of generated code by hand. Modules are found with _dl_find_object, which takes
// none either. Names of functions are for later and elsewhere (symbolize.h).
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <span>

#include "isolate/query/black_box.h"

namespace culprit::isolate {

/// Before the first handler: what happens once, and is not allowed in one.
void PrepareToUnwind();

/// In a handler: the addresses of the interrupted code, innermost first, without those of the handler. Gives
/// their number; of a stack that is too long the outermost are left out.
size_t Unwind(const ucontext_t& interrupted, std::span<void*> addresses);

/// Where the interrupted code was.
void* InstructionOf(const ucontext_t& interrupted);

/// The return address of a function that was just called, and has done nothing yet.
void* ReturnAddressOf(const ucontext_t& interrupted);

bool IsInModule(void* address);

/// In a handler too. Needs PrepareToUnwind for addresses in the program itself.
void NoteFrame(void* address, RawFrame& frame);

}  // namespace culprit::isolate
