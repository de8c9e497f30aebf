// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

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

/// The function that an object defines.
constexpr std::string_view kEntryName = "culprit_kernel";

constexpr unsigned kWidestRegister = 512;

struct Options {
  Math math = Math::kFast;
  Route route = Route::kVectors;
  /// Instructions on wider registers are not used, though the processor may have them: 128, 256 or 512.
  unsigned most_register_bits = kWidestRegister;
};

}  // namespace culprit::compiler::codegen
