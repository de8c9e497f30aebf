// SPDX-License-Identifier: Apache-2.0
#include "isolate/stacks/symbolize.h"

#include <map>

#include "isolate/stacks/symbol_file.h"
#include "isolate/stacks/type_name.h"

namespace culprit::isolate {
namespace {

/// What is looked for in one module, and who wants to know.
using Wanted = std::map<uint64_t, std::vector<StackFrame*>>;

void NameFunctions(const std::string& module, const Wanted& wanted) {
  std::vector<uint64_t> addresses;
  for (const auto& [address, frames] : wanted) addresses.push_back(address);
  const std::vector<std::string> names = FunctionsAt(module, addresses);
  size_t next = 0;
  for (const auto& [address, frames] : wanted) {
    const std::string symbol = Demangle(names[next++]);
    for (StackFrame* frame : frames) frame->symbol = symbol;
  }
}

}  // namespace

std::vector<std::vector<StackFrame>> Symbolize(const std::vector<RawStack>& stacks) {
  std::vector<std::vector<StackFrame>> result;
  for (const RawStack& stack : stacks) {
    std::vector<StackFrame>& frames = result.emplace_back();
    for (const RawFrame& raw : stack)
      frames.push_back({raw.module.Get(), raw.address - raw.module_begin, ""});
  }
  std::map<std::string, Wanted> wanted_of_module;
  for (std::vector<StackFrame>& frames : result) {
    for (size_t i = 0; i < frames.size(); ++i) {
      if (frames[i].module.empty()) continue;
      // All but the innermost are return addresses, and the function may end with the call.
      const uint64_t address = frames[i].address - (i > 0 ? 1 : 0);
      wanted_of_module[frames[i].module][address].push_back(&frames[i]);
    }
  }
  for (const auto& [module, wanted] : wanted_of_module) NameFunctions(module, wanted);
  return result;
}

}  // namespace culprit::isolate
