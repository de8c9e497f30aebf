// SPDX-License-Identifier: Apache-2.0
//
// Faults in passes of backend `native`: what such a pass has made of the guilty nodes is spoiled, behind its
// work. A guilty value that the pass did nothing to has nothing to be spoiled. Each thing that is spoiled is
// one more application of the pass, so that a search in applications (off=lower@7) finds the one that is to
// blame. No memory is touched but that of tensors the graph has.
#pragma once

#include "compiler/pipeline/pipeline.h"
#include "faults/where.h"

namespace culprit::faults {

using Spoil = void (*)(compiler::pipeline::Compilation& compilation, const Where& where,
                       const compiler::pipeline::Applies& applies);

/// Behind lower: loops compute numbers that are off.
void MakeLoopsWrong(compiler::pipeline::Compilation& compilation, const Where& where,
                    const compiler::pipeline::Applies& applies);
/// Behind lower: writes to address 0 where there is a loop.
void CrashAtLoops(compiler::pipeline::Compilation& compilation, const Where& where,
                  const compiler::pipeline::Applies& applies);
/// Behind fuse: loops of the same kernel find zeros where the guilty loop has not written yet.
void ReadTooEarly(compiler::pipeline::Compilation& compilation, const Where& where,
                  const compiler::pipeline::Applies& applies);
/// Behind arrange: kernels load the element before the one they should, where there is one.
void ShiftLoads(compiler::pipeline::Compilation& compilation, const Where& where,
                const compiler::pipeline::Applies& applies);
/// Behind plan_memory: guilty values lie in the memory of others that are needed later.
void TakeMemoryInUse(compiler::pipeline::Compilation& compilation, const Where& where,
                     const compiler::pipeline::Applies& applies);
/// Behind codegen: the code of kernels is wrong in the last iteration.
void MakeCodeWrong(compiler::pipeline::Compilation& compilation, const Where& where,
                   const compiler::pipeline::Applies& applies);

}  // namespace culprit::faults
