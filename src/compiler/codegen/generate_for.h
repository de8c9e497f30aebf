// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/codegen/generate.h"
#include "compiler/codegen/target/machine.h"

namespace culprit::compiler::codegen {

/// As Generate, for any processor.
std::string GenerateFor(const Processor& processor, const loops::Kernel& kernel, const Options& options,
                        Listing* listing = nullptr);

std::string LlvmVersion();

}  // namespace culprit::compiler::codegen
