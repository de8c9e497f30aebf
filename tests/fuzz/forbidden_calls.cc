// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/forbidden_calls.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <iterator>
#include <vector>

// A call from here passes the filter: with it the handler does what was asked for while nobody watches.
asm(R"(
  .text
  .globl culprit_unfiltered_call
culprit_unfiltered_call:
  mov %rdi, %rax
  mov %rsi, %rdi
  mov %rdx, %rsi
  mov %rcx, %rdx
  mov %r8, %r10
  mov %r9, %r8
  mov 8(%rsp), %r9
  syscall
  .globl culprit_behind_unfiltered_call
culprit_behind_unfiltered_call:
  ret
)");
extern "C" long culprit_unfiltered_call(long number, long a, long b, long c, long d, long e,
                                        long f);       // NOLINT
extern "C" const char culprit_behind_unfiltered_call;  // NOLINT

namespace culprit::tests {
namespace {

struct ForbiddenCall {
  const char* name;
  int number;
  /// Forbidden only if this argument has one of these bits; -1: always.
  int argument = -1;
  unsigned bits = 0;
};

constexpr unsigned kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
constexpr ForbiddenCall kForbidden[] = {
    {"execve", SYS_execve},
    {"execveat", SYS_execveat},
    {"mmap of executable memory", SYS_mmap, 2, PROT_EXEC},
    {"mprotect to executable memory", SYS_mprotect, 2, PROT_EXEC},
    {"pkey_mprotect to executable memory", SYS_pkey_mprotect, 2, PROT_EXEC},
    {"open for writing", SYS_open, 1, kWriting},
    {"openat for writing", SYS_openat, 2, kWriting},
    {"openat2", SYS_openat2},
    {"creat", SYS_creat},
    {"truncate", SYS_truncate},
    {"mkdir", SYS_mkdir},
    {"mkdirat", SYS_mkdirat},
    {"mknod", SYS_mknod},
    {"mknodat", SYS_mknodat},
    {"rename", SYS_rename},
    {"renameat", SYS_renameat},
    {"renameat2", SYS_renameat2},
    {"link", SYS_link},
    {"linkat", SYS_linkat},
    {"symlink", SYS_symlink},
    {"symlinkat", SYS_symlinkat},
    {"unlink", SYS_unlink},
    {"unlinkat", SYS_unlinkat},
    {"rmdir", SYS_rmdir},
    {"chmod", SYS_chmod},
    {"fchmodat", SYS_fchmodat},
    {"fchmod", SYS_fchmod},
    {"chown", SYS_chown},
    {"fchown", SYS_fchown},
    {"fchownat", SYS_fchownat},
    {"ftruncate", SYS_ftruncate},
    {"setxattr", SYS_setxattr},
    {"fsetxattr", SYS_fsetxattr},
    {"fork", SYS_fork},
    {"vfork", SYS_vfork},
    {"socket", SYS_socket},
    {"connect", SYS_connect},
    {"kill", SYS_kill},
};

std::atomic<bool> is_watched = false;
std::atomic<size_t> denied_calls = 0;
std::atomic<int> last_denied = -1;

void OnForbiddenCall(int /*signal*/, siginfo_t* information, void* context) {
  greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (is_watched) {
    ++denied_calls;
    last_denied = information->si_syscall;
    registers[REG_RAX] = -EPERM;
    return;
  }
  registers[REG_RAX] =
      culprit_unfiltered_call(information->si_syscall, registers[REG_RDI], registers[REG_RSI],
                              registers[REG_RDX], registers[REG_R10], registers[REG_R8], registers[REG_R9]);
}

sock_filter Load(size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}

std::vector<sock_filter> MakeFilter() {
  const auto behind = reinterpret_cast<uint64_t>(&culprit_behind_unfiltered_call);
  const auto low = static_cast<unsigned>(behind);
  const auto high = static_cast<unsigned>(behind >> 32U);
  constexpr size_t kPointer = offsetof(seccomp_data, instruction_pointer);
  const sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const sock_filter trap = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  std::vector<sock_filter> filter = {Load(kPointer),
                                     BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, low, 0, 3),
                                     Load(kPointer + 4),
                                     BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, high, 0, 1),
                                     allow,
                                     Load(offsetof(seccomp_data, nr))};
  for (const ForbiddenCall& call : kForbidden) {
    const bool always = call.argument < 0;
    const auto number = static_cast<unsigned>(call.number);
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, static_cast<uint8_t>(always ? 1 : 4)));
    if (!always) {
      filter.push_back(Load(offsetof(seccomp_data, args) + 8 * static_cast<size_t>(call.argument)));
      filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, call.bits, 1, 0));
      filter.push_back(allow);
    }
    filter.push_back(trap);
  }
  filter.push_back(allow);
  return filter;
}

}  // namespace

bool InstallCallFilter() {
  struct sigaction action = {};
  action.sa_sigaction = OnForbiddenCall;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  if (sigaction(SIGSYS, &action, nullptr) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  std::vector<sock_filter> filter = MakeFilter();
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};  // NOLINT
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

WatchedCalls::WatchedCalls() {
  denied_calls = 0;
  last_denied = -1;
  is_watched = true;
}

WatchedCalls::~WatchedCalls() {
  is_watched = false;
}

size_t WatchedCalls::denied() const {
  return denied_calls;
}

std::string WatchedCalls::last() const {
  const auto* const call = std::ranges::find(kForbidden, last_denied.load(), &ForbiddenCall::number);
  return call == std::end(kForbidden) ? "none" : call->name;
}

}  // namespace culprit::tests
