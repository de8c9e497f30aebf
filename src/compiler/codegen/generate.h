// SPDX-License-Identifier: Apache-2.0
//
// Machine code of kernels, by LLVM, for the CPU this runs on.
#pragma once

#include <string>

#include "compiler/codegen/target/options.h"
#include "compiler/loops/kernel.h"

namespace culprit::compiler::codegen {

/// For people.
struct Listing {
  std::string ir;
  std::string assembly;
};

/// An ELF object that defines kEntryName, a loops::KernelEntry. Several threads may generate at a time.
std::string Generate(const loops::Kernel& kernel, const Options& options, Listing* listing = nullptr);

/// Everything that code depends on beside the kernel: processor, features, version of LLVM and of the
/// generator, options. One line.
std::string TargetText(const Options& options);

}  // namespace culprit::compiler::codegen
