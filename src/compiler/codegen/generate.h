// SPDX-License-Identifier: Apache-2.0
//
// Machine code of kernels, by LLVM, for the CPU this runs on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/loops/kernel.h"

namespace culprit::compiler::codegen {

/// What numbers come out.
enum class Math : uint8_t {
  /// Polynomials in line, within 2 ulp, and contraction of a product and a sum.
  kFast,
  /// The functions that libtorch itself calls (MKL's and SLEEF), and each operation by itself.
  kExact,
};

/// How loops become instructions.
enum class Route : uint8_t {
  /// Instructions on vectors, as written here, and no passes of LLVM's on them.
  kVectors,
  /// Loops over scalars, and LLVM's own O3 pipeline.
  kLlvmO3,
};

constexpr unsigned kWidestRegister = 512;

struct Options {
  Math math = Math::kFast;
  Route route = Route::kVectors;
  /// Instructions on wider registers are not used, though the processor may have them: 128, 256 or 512.
  unsigned most_register_bits = kWidestRegister;
};

/// For people.
struct Listing {
  std::string ir;
  std::string assembly;
};

constexpr std::string_view kEntryName = "culprit_kernel";

/// An ELF object that defines kEntryName, a loops::Entry. Several threads may generate at a time.
std::string Generate(const loops::Kernel& kernel, const Options& options, Listing* listing = nullptr);

/// Everything that code depends on beside the kernel: processor, features, version of LLVM and of the
/// generator, options. One line.
std::string TargetText(const Options& options);

}  // namespace culprit::compiler::codegen
