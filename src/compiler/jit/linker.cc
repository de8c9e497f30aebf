// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/linker.h"

#include <fmt/format.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/MemoryBuffer.h>

#include <stdexcept>
#include <utility>

#include "compiler/jit/fork_safe_mutex.h"

namespace culprit::compiler::jit {
namespace {

namespace orc = llvm::orc;

std::runtime_error ErrorOf(llvm::Error error, const std::string& reported = {}) {
  std::string words = llvm::toString(std::move(error));
  if (!reported.empty()) words = reported + "; " + words;
  return std::runtime_error(fmt::format("cannot load a kernel: {}", words));
}

template <typename T>
T ValueOf(llvm::Expected<T> expected) {
  if (!expected) throw ErrorOf(expected.takeError());
  return std::move(*expected);
}

/// The parts of LLJIT that objects need: neither its compiler nor its platform, which would run initialisers.
class Linker {
 public:
  struct Linked {
    orc::JITDylib* dylib;
    loops::KernelEntry entry;
  };

  /// Never destroyed, since kernels may be held to the very end.
  static Linker& Get() {
    static Linker& linker = *new Linker;
    return linker;
  }

  Linked Add(const std::string& object) {
    const std::lock_guard lock(mutex_);
    orc::JITDylib& dylib = session_.createBareJITDylib(fmt::format("kernel {}", number_++));
    dylib.addToLinkOrder(process_);
    reported_.clear();
    llvm::Expected<orc::ExecutorSymbolDef> symbol = Define(dylib, object);
    if (symbol) return {&dylib, symbol->getAddress().toPtr<loops::KernelEntry>()};
    llvm::consumeError(session_.removeJITDylib(dylib));
    throw ErrorOf(symbol.takeError(), reported_);
  }

  void Remove(orc::JITDylib& dylib) {
    const std::lock_guard lock(mutex_);
    llvm::consumeError(session_.removeJITDylib(dylib));
  }

 private:
  Linker()
      : session_(ValueOf(orc::SelfExecutorProcessControl::Create())),
        layer_(session_),
        process_(session_.createBareJITDylib("process")) {
    // LLVM's own reporter prints. The reason of a failure is reported; its consequence is returned.
    session_.setErrorReporter([this](llvm::Error error) {
      if (!reported_.empty()) reported_ += "; ";
      reported_ += llvm::toString(std::move(error));
    });
    process_.addGenerator(ValueOf(orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0')));
  }

  llvm::Expected<orc::ExecutorSymbolDef> Define(orc::JITDylib& dylib, const std::string& object) {
    // Linking ends before the lookup returns: work is dispatched to the thread that asks for it.
    auto buffer = llvm::MemoryBuffer::getMemBuffer(object, "kernel", /*RequiresNullTerminator=*/false);
    if (llvm::Error error = layer_.add(dylib, std::move(buffer))) return error;
    return session_.lookup({&dylib}, session_.intern(codegen::kEntryName));
  }

  /// Around all of LLVM's: its own locks are not safe with forks.
  ForkSafeMutex mutex_;
  orc::ExecutionSession session_;
  orc::ObjectLinkingLayer layer_;
  orc::JITDylib& process_;
  uint64_t number_ = 0;
  std::string reported_;
};

class LinkedKernel : public LoadedKernel {
 public:
  explicit LinkedKernel(const Linker::Linked& linked) : LoadedKernel(linked.entry), dylib_(linked.dylib) {}
  ~LinkedKernel() override { Linker::Get().Remove(*dylib_); }

 private:
  orc::JITDylib* dylib_;
};

}  // namespace

std::shared_ptr<const LoadedKernel> Link(const std::string& object) {
  return std::make_shared<LinkedKernel>(Linker::Get().Add(object));
}

}  // namespace culprit::compiler::jit
