// SPDX-License-Identifier: Apache-2.0
#include "repro/cpp/cpp_settings.h"

#include <fmt/format.h>

#include "base/text.h"
#include "repro/cpp/cpp_literal.h"

namespace culprit::repro {
namespace {

std::string GeneratorLine(const RunSettings& settings) {
  if (settings.generator_state.empty())
    return fmt::format("  at::Generator(at::detail::getDefaultCPUGenerator()).set_current_seed({}U);\n",
                       settings.seed);
  constexpr size_t kDigitsPerLine = 80;
  const std::string digits = base::ToHex(std::as_bytes(std::span(settings.generator_state)));
  std::string lines;
  for (size_t i = 0; i < digits.size(); i += kDigitsPerLine)
    lines += fmt::format("\n      \"{}\"", std::string_view(digits).substr(i, kDigitsPerLine));
  return fmt::format("  at::Generator(at::detail::getDefaultCPUGenerator()).set_state(FromHex({}));\n",
                     lines);
}

}  // namespace

std::string CppSettings(const RunSettings& settings, bool draws) {
  std::string text;
  // libtorch refuses to be told twice, even the same.
  if (settings.interop_threads)
    text += fmt::format("  if (at::get_num_interop_threads() != {0}) at::set_num_interop_threads({0});\n",
                        *settings.interop_threads);
  if (settings.threads) text += fmt::format("  at::set_num_threads({});\n", *settings.threads);
  if (settings.default_dtype != at::kFloat)
    text += fmt::format("  c10::set_default_dtype(c10::scalarTypeToTypeMeta({}));\n",
                        CppDtype(settings.default_dtype));
  if (settings.deterministic)
    text += fmt::format("  at::globalContext().setDeterministicAlgorithms(true, {});\n",
                        settings.deterministic_warn_only);
  if (settings.autocast && settings.autocast->device == at::kCPU) {
    text += fmt::format("  at::autocast::set_autocast_dtype(at::kCPU, {});\n",
                        CppDtype(settings.autocast->dtype));
    text += "  at::autocast::set_autocast_enabled(at::kCPU, true);\n";
  }
  if (draws) text += GeneratorLine(settings);
  if (!settings.grad) text += "  const c10::AutoGradMode grad_mode(false);\n";
  if (settings.inference) text += "  const c10::InferenceMode inference_mode(true);\n";
  return text;
}

}  // namespace culprit::repro
