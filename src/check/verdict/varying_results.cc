// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/varying_results.h"

#include <ATen/core/grad_mode.h>
#include <malloc.h>

#include <set>

#include "compare/compare.h"

namespace culprit::check {
namespace {

/// Fills what malloc hands out, and what is given back, while it lives. As floating-point numbers the bytes
/// are large: 1.3e7, and 1e54 in double precision. Blocks of up to 1 KiB that malloc keeps for a thread are not filled:
/// where they decide, results are the same each time.
class FilledMemory {
 public:
  FilledMemory() { mallopt(M_PERTURB, 0x4B ^ 0xFF); }
  ~FilledMemory() { mallopt(M_PERTURB, 0); }
  FilledMemory(const FilledMemory&) = delete;
  FilledMemory& operator=(const FilledMemory&) = delete;
};

std::set<std::string> PathsThatAreOff(const compare::Verdict& verdict) {
  std::set<std::string> paths;
  for (const compare::Output& output : verdict.outputs) {
    if (!output.passes) paths.insert(output.path);
  }
  return paths;
}

}  // namespace

bool Varies(const VaryingRun& varying, const compare::Verdict& verdict, const compare::Options& options,
            const compare::UndefinedElements& undefined) {
  const std::set<std::string> off = PathsThatAreOff(verdict);
  if (off.empty()) return false;
  const at::NoGradGuard no_grad;
  const c10::IValue first = AsTree(varying.calls, false);
  const auto differs = [&](const std::vector<Results>& calls) {
    const compare::Verdict again =
        compare::Compare(first, AsTree(calls, false), std::nullopt, options, undefined);
    for (const std::string& path : PathsThatAreOff(again)) {
      if (off.contains(path)) return true;
    }
    return false;
  };
  const FilledMemory filled;
  RunEnd again = CallAgain(varying.kept, varying.inputs, varying.run);
  std::vector<Results> with_last = varying.calls;
  if (again.ok()) with_last.back() = std::move(again.calls[0]);
  if (again.ok() && !differs(with_last)) return false;
  const RunEnd anew = RunModel(varying.model, varying.inputs, varying.run);
  return !anew.ok() || differs(anew.calls);
}

}  // namespace culprit::check
