// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/generate_for.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "base/internal_error.h"
#include "compiler/codegen/analysis/shape.h"
#include "compiler/codegen/function/function_writer.h"
#include "compiler/codegen/nest/loop_nest.h"

namespace culprit::compiler::codegen {
namespace {

void RunO3(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

std::string Emitted(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType kind) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(machine.getTargetTriple()));
  const bool cannot = machine.addPassesToEmitFile(passes, stream, nullptr, kind, /*DisableVerify=*/true);
  CULPRIT_CHECK(!cannot, "LLVM cannot emit files for this processor");
  passes.run(module);
  return {bytes.begin(), bytes.end()};
}

void VerifyModule(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  CULPRIT_CHECK(!llvm::verifyModule(module, &stream), "wrong code: {}", text);
}

std::string TextOf(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

}  // namespace

std::string GenerateFor(const Processor& processor, const loops::Kernel& kernel, const Options& options,
                        Listing* listing) {
  llvm::TargetMachine& machine = MachineFor(processor);
  FunctionWriter code(processor, options, ShapeOf(kernel, processor, options.route));
  WriteLoops(code, kernel);
  code.SlotsToRegisters();
  VerifyModule(code.module);
  if (options.route == Route::kLlvmO3) RunO3(code.module, machine);
  if (listing != nullptr) {
    listing->ir = TextOf(code.module);
    const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(code.module);
    listing->assembly = Emitted(*copy, machine, llvm::CodeGenFileType::AssemblyFile);
  }
  return Emitted(code.module, machine, llvm::CodeGenFileType::ObjectFile);
}

std::string LlvmVersion() {
  return LLVM_VERSION_STRING;
}

}  // namespace culprit::compiler::codegen
