// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "compiler/codegen/target/options.h"

namespace culprit::compiler::codegen {

/// A processor that code is generated for, as far as the shape of the code depends on it.
struct Processor {
  std::string name;
  /// As LLVM takes them: "+avx2,-avx512f,..."
  std::string features;
  unsigned register_bits = 128;
  bool has_fma = false;
  /// Masked and scattered access to elements of 4 and 8 bytes, and of 1 and 2.
  bool has_masks = false;
  bool has_byte_masks = false;
  /// Masked loads and stores of consecutive elements of 4 and 8 bytes.
  bool has_masked_moves = false;
};

/// The one this runs on, as if it had no wider registers than that.
const Processor& Host(unsigned most_register_bits = kWidestRegister);

/// One of LLVM's names: "x86-64", "znver3", "znver4".
Processor Named(const std::string& name);

/// The calling thread's. Sets LLVM up for the process at the first call.
llvm::TargetMachine& MachineFor(const Processor& processor);

}  // namespace culprit::compiler::codegen
