// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/pipeline/compilation.h"

namespace culprit::compiler::pipeline {

/// What the last pass has left is whole: a graph or a program that verifies, loops that load what will be in
/// memory, groups that have each kept value once and go as far as its loop does, kernels that verify and have
/// a value for each buffer, a plan and code for all of them. Throws base::InternalError.
void Verify(const Compilation& compilation);

}  // namespace culprit::compiler::pipeline
