// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/run/compiled_model.h"
#include "check/run/graph_model.h"

namespace culprit::tests {
namespace {

// compare throws where a result is a number, no tensor, that has no place in the default dtype.
check::CheckResult Check(const check::Model& reference, const check::Model& candidate,
                         const std::vector<c10::IValue>& inputs, const check::CheckOptions& options) {
  try {
    return check::SameTwoModels(reference, candidate, inputs, options);
  } catch (const std::runtime_error& error) {
    if (std::string_view(error.what()).find("without overflow") == std::string_view::npos) throw;
    check::CheckResult result;
    result.status = check::CheckStatus::kReferenceUnstable;
    return result;
  }
}

std::string Describe(const compare::Output& output) {
  std::string text = fmt::format("{}: {}[{}] {} of the elements differ, by {} at most; rmse {}", output.path,
                                 toString(output.dtype), fmt::join(output.sizes, ", "), output.mismatching,
                                 output.max_abs, output.rmse);
  if (output.rmse_reference_fp64)
    text += fmt::format("; from float64: eager {}, compiled {}", *output.rmse_reference_fp64,
                        *output.rmse_result_fp64);
  if (output.detail && output.detail->worst) {
    const compare::WorstElement& worst = *output.detail->worst;
    text += fmt::format("; worst at [{}]: eager {}, compiled {}", fmt::join(worst.index, ", "),
                        worst.reference.real(), worst.result.real());
    if (worst.fp64) text += fmt::format(", float64 {}", worst.fp64->real());
  }
  if (output.noise) text += fmt::format("; {} times the noise", output.noise->factor);
  return text;
}

bool IsNoise(const compare::Verdict& verdict, double most) {
  return verdict.mismatches.empty() &&
         std::ranges::all_of(verdict.outputs, [&](const compare::Output& output) {
           return output.passes || (output.noise && output.noise->factor < most);
         });
}

}  // namespace

std::string Describe(const check::CheckResult& result) {
  std::string text = result.message + "\n";
  for (const compare::Mismatch& mismatch : result.verdict.mismatches)
    text += fmt::format("{} ({}): {}\n", mismatch.path, NameOf(mismatch.kind), mismatch.message);
  for (const compare::Output& output : result.verdict.outputs)
    if (!output.passes) text += Describe(output) + "\n";
  return text;
}

Judgement Judge(backend::Backend& backend, const graph::Graph& graph, const std::vector<c10::IValue>& inputs,
                const JudgeOptions& options) {
  return JudgeModel(check::GraphModel(graph), check::CompiledModel(backend, graph, inputs), inputs, options);
}

Judgement JudgeModel(const check::Model& reference, const check::Model& candidate,
                     const std::vector<c10::IValue>& inputs, const JudgeOptions& options) {
  check::CheckOptions check = check::CheckOptions::Strict();
  check.compare.compare_strides = options.strides;
  check.run.calls = options.calls;
  const check::CheckResult result = Check(reference, candidate, inputs, check);
  Judgement judgement{result.status, ""};
  if (result.status == check::CheckStatus::kDifferent && IsNoise(result.verdict, options.noise))
    judgement.status = check::CheckStatus::kSame;
  else if (result.status != check::CheckStatus::kSame && !judgement.says_nothing())
    judgement.difference = Describe(result);
  return judgement;
}

}  // namespace culprit::tests
