// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/generate.h"

#include <fmt/format.h>

#include "compiler/codegen/generate_for.h"
#include "compiler/codegen/target/machine.h"

namespace culprit::compiler::codegen {

std::string Generate(const loops::Kernel& kernel, const Options& options, Listing* listing) {
  return GenerateFor(Host(options.most_register_bits), kernel, options, listing);
}

std::string TargetText(const Options& options) {
  const Processor& host = Host(options.most_register_bits);
  return fmt::format("{} {} llvm {} generator {} math {} route {}", host.name, host.features, LlvmVersion(),
                     CULPRIT_GENERATOR, options.math == Math::kFast ? "fast" : "exact",
                     options.route == Route::kVectors ? "vectors" : "llvm-o3");
}

}  // namespace culprit::compiler::codegen
