// SPDX-License-Identifier: Apache-2.0
//
// OMP_WAIT_POLICY=passive, without restarting the process.
//
// libgomp reads its policy once, in its constructor, before main() and before any constructor of ours. By
// default its idle threads spin, and on a busy machine every parallel region then stalls for a scheduler
// quantum. Restarting with a changed environment would load libtorch twice (0.3 s). So:
//
//   pre-init (runs before all libraries' constructors, but libc's environment cannot be extended yet):
//     one entry that no library reads while loading is replaced, in place, by the policy
//   constructor of the executable (runs after all libraries' constructors):
//     the entry is put back, and the policy is set as an ordinary variable, so that children inherit it
//
// A policy that the user has set is left alone. With an empty environment nothing happens.
#include <cstdlib>
#include <cstring>

namespace {

constexpr const char* kPolicyName = "OMP_WAIT_POLICY";
char policy_entry[] = "OMP_WAIT_POLICY=passive";

// In the order of preference.
constexpr const char* kUnreadWhileLoading[] = {"_", "OLDPWD", "SHLVL", "PWD", "LOGNAME", "TERM", "PATH"};

// Volatile: compilers that run constructors at compile time do not know that something ran before.
char** volatile borrowed_slot = nullptr;
char* volatile borrowed_entry = nullptr;

char** Find(char** environment, const char* name) {
  const size_t length = std::strlen(name);
  for (char** entry = environment; *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return entry;
  }
  return nullptr;
}

void BeforeLibraries(int /*argc*/, char** /*argv*/, char** environment) {
  if (Find(environment, kPolicyName) != nullptr) return;
  for (const char* name : kUnreadWhileLoading) {
    char** slot = Find(environment, name);
    if (slot == nullptr) continue;
    borrowed_slot = slot;
    borrowed_entry = *slot;
    *slot = policy_entry;
    return;
  }
}

__attribute__((section(".preinit_array"), used)) void (*before_libraries)(int, char**,
                                                                          char**) = BeforeLibraries;

__attribute__((constructor)) void AfterLibraries() {
  if (borrowed_slot == nullptr) return;
  *borrowed_slot = borrowed_entry;
  setenv(kPolicyName, "passive", 0);
}

}  // namespace
