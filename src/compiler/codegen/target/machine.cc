// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/target/machine.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/TargetParser/X86TargetParser.h>

#include <map>
#include <mutex>
#include <span>
#include <unordered_map>

#include "base/internal_error.h"

namespace culprit::compiler::codegen {
namespace {

// Passes over machine code that cost a third to a half of the time to compile and gain next to nothing on
// loops that are vectors already. LLVM has no other way to switch them off than its command line.
constexpr const char* kTrimmed[] = {
    "culprit",
    "-disable-lsr",
    "-enable-misched=false",
    "-disable-post-ra",
    "-disable-cgp",
    "-disable-machine-cse",
    "-disable-machine-sink",
    "-disable-early-ifcvt",
    "-disable-block-placement",
};

void SetUp() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::cl::ParseCommandLineOptions(std::size(kTrimmed), kTrimmed);
  });
}

Processor Described(std::string name, const llvm::StringMap<bool>& has) {
  Processor processor{.name = std::move(name)};
  std::map<std::string, bool> sorted;
  for (const auto& feature : has) sorted[feature.getKey().str()] = feature.getValue();
  llvm::SubtargetFeatures features;
  for (const auto& [feature, is_on] : sorted) features.AddFeature(feature, is_on);
  processor.features = features.getString();
  const auto is_there = [&](const char* feature) { return has.lookup(feature); };
  processor.has_masks = is_there("avx512f") && is_there("avx512vl") && is_there("avx512dq");
  processor.has_byte_masks = processor.has_masks && is_there("avx512bw");
  processor.has_masked_moves = is_there("avx");
  processor.has_fma = is_there("fma") && is_there("avx2");
  processor.register_bits = processor.has_masks ? 512 : is_there("avx2") ? 256 : 128;
  return processor;
}

// With any of these LLVM would think of the registers again.
constexpr llvm::StringRef kOf512Bits[] = {"avx10", "avx512", "evex512"};
constexpr llvm::StringRef kOf256Bits[] = {"avx", "f16c", "fma",     "sha512", "sm3",
                                          "sm4", "vaes", "vpclmul", "xop"};

Processor HostUpTo(unsigned register_bits) {
  llvm::StringMap<bool> has = llvm::sys::getHostCPUFeatures();
  const auto drop = [&](std::span<const llvm::StringRef> prefixes) {
    for (auto& feature : has)
      for (const llvm::StringRef prefix : prefixes)
        if (feature.getKey().starts_with(prefix)) feature.second = false;
  };
  if (register_bits < 512) drop(kOf512Bits);
  if (register_bits < 256) drop(kOf256Bits);
  return Described(llvm::sys::getHostCPUName().str(), has);
}

std::unique_ptr<llvm::TargetMachine> Made(const Processor& processor) {
  SetUp();
  const std::string triple = llvm::sys::getProcessTriple();
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  CULPRIT_CHECK(target != nullptr, "{}", error);
  llvm::TargetOptions options;
  // A product and a sum become one instruction only where both say so.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, processor.name, processor.features, options, llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, /*JIT=*/false));
}

}  // namespace

const Processor& Host(unsigned most_register_bits) {
  static const Processor widest = HostUpTo(kWidestRegister);
  static const Processor of_256 = HostUpTo(256);
  static const Processor of_128 = HostUpTo(128);
  return most_register_bits >= kWidestRegister ? widest : most_register_bits >= 256 ? of_256 : of_128;
}

Processor Named(const std::string& name) {
  llvm::SmallVector<llvm::StringRef> features;
  llvm::X86::getFeaturesForCPU(name, features);
  llvm::StringMap<bool> has;
  for (const llvm::StringRef feature : features) has[feature] = true;
  return Described(name, has);
}

llvm::TargetMachine& MachineFor(const Processor& processor) {
  // Virtual machines hide features of the processor that they name.
  thread_local std::unordered_map<std::string, std::unique_ptr<llvm::TargetMachine>> machines;
  std::unique_ptr<llvm::TargetMachine>& machine = machines[processor.name + processor.features];
  if (!machine) machine = Made(processor);
  return *machine;
}

}  // namespace culprit::compiler::codegen
