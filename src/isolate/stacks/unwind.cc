// SPDX-License-Identifier: Apache-2.0
#include "isolate/stacks/unwind.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <array>
#include <bit>

namespace culprit::isolate {
namespace {

FixedText<240> program_path;

struct Walk {
  void* innermost;
  std::span<void*> addresses;
  size_t count;
};

_Unwind_Reason_Code Visit(_Unwind_Context* frame, void* argument) {
  Walk& walk = *static_cast<Walk*>(argument);
  void* const address = std::bit_cast<void*>(_Unwind_GetIP(frame));
  // The frames of the handler come first.
  if (walk.count == 0 && address != walk.innermost) return _URC_NO_REASON;
  if (walk.count == walk.addresses.size() || address == nullptr) return _URC_END_OF_STACK;
  walk.addresses[walk.count++] = address;
  return _URC_NO_REASON;
}

}  // namespace

void PrepareToUnwind() {
  std::array<char, 240> path = {};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  if (length > 0) program_path.Set({path.data(), static_cast<size_t>(length)});
  // The first walk of a process sets up tables, and the loader binds the functions.
  std::array<void*, 1> addresses = {};
  Walk walk{__builtin_return_address(0), addresses, 0};
  _Unwind_Backtrace(Visit, &walk);
  IsInModule(walk.innermost);
}

size_t Unwind(const ucontext_t& interrupted, std::span<void*> addresses) {
  Walk walk{InstructionOf(interrupted), addresses, 0};
  _Unwind_Backtrace(Visit, &walk);
  if (walk.count > 0 || addresses.empty()) return walk.count;
  // Generated code of which the unwinder knows nothing.
  addresses[0] = walk.innermost;
  return 1;
}

void* InstructionOf(const ucontext_t& interrupted) {
#if defined(__x86_64__)
  return std::bit_cast<void*>(interrupted.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return std::bit_cast<void*>(interrupted.uc_mcontext.pc);
#else
#error "where does this processor keep its program counter?"
#endif
}

void* ReturnAddressOf(const ucontext_t& interrupted) {
#if defined(__x86_64__)
  return *std::bit_cast<void**>(interrupted.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return std::bit_cast<void*>(interrupted.uc_mcontext.regs[30]);
#endif
}

bool IsInModule(void* address) {
  dl_find_object object;
  return _dl_find_object(address, &object) == 0;
}

void NoteFrame(void* address, RawFrame& frame) {
  frame.address = reinterpret_cast<uint64_t>(address);
  dl_find_object object;
  if (_dl_find_object(address, &object) != 0) return;
  const link_map& module = *object.dlfo_link_map;
  frame.module_begin = module.l_addr;
  if (module.l_name[0] != '\0')
    frame.module.Set(module.l_name);
  else
    frame.module = program_path;
}

}  // namespace culprit::isolate
