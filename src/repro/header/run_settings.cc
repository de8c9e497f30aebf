// SPDX-License-Identifier: Apache-2.0
#include "repro/header/run_settings.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/empty.h>

#include <cstring>
#include <mutex>

namespace culprit::repro {
namespace {

std::string StateOf(at::Generator generator) {
  const std::lock_guard lock(generator.mutex());
  const at::Tensor state = generator.get_state();
  return {static_cast<const char*>(state.data_ptr()), state.nbytes()};
}

void SetAutocast(const std::optional<Autocast>& autocast) {
  const bool cpu = autocast && autocast->device == at::kCPU;
  at::autocast::set_autocast_enabled(at::kCPU, cpu);
  if (cpu) at::autocast::set_autocast_dtype(at::kCPU, autocast->dtype);
  // Weights that were cast before are another run's.
  at::autocast::clear_cache();
}

// Everything that is one global or thread-local value; grad and inference mode are guards.
void Set(const RunSettings& settings) {
  SetAutocast(settings.autocast);
  at::globalContext().setDeterministicAlgorithms(settings.deterministic, settings.deterministic_warn_only);
  c10::set_default_dtype(c10::scalarTypeToTypeMeta(settings.default_dtype));
  if (settings.threads && *settings.threads != at::get_num_threads()) at::set_num_threads(*settings.threads);
  SetGenerator(settings);
}

}  // namespace

RunSettings CurrentModes() {
  RunSettings settings;
  settings.grad = at::GradMode::is_enabled();
  settings.inference = c10::InferenceMode::is_enabled();
  if (at::autocast::is_autocast_enabled(at::kCPU))
    settings.autocast = Autocast{at::kCPU, at::autocast::get_autocast_dtype(at::kCPU)};
  settings.default_dtype = c10::typeMetaToScalarType(c10::get_default_dtype());
  settings.deterministic = at::globalContext().deterministicAlgorithms();
  settings.deterministic_warn_only = at::globalContext().deterministicAlgorithmsWarnOnly();
  settings.threads = at::get_num_threads();
  settings.seed = at::detail::getDefaultCPUGenerator().current_seed();
  return settings;
}

RunSettings CurrentRunSettings() {
  RunSettings settings = CurrentModes();
  settings.interop_threads = at::get_num_interop_threads();
  std::string state = StateOf(at::detail::getDefaultCPUGenerator());
  if (state != StateOf(at::detail::createCPUGenerator(settings.seed)))
    settings.generator_state = std::move(state);
  return settings;
}

void SetGenerator(const RunSettings& settings) {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard lock(generator.mutex());
  if (settings.generator_state.empty()) {
    generator.set_current_seed(settings.seed);
    return;
  }
  at::Tensor state = at::empty({static_cast<int64_t>(settings.generator_state.size())}, at::kByte);
  std::memcpy(state.data_ptr(), settings.generator_state.data(), settings.generator_state.size());
  generator.set_state(state);
}

RunScope::RunScope(const RunSettings& settings)
    : before_(CurrentRunSettings()), inference_(settings.inference), grad_(settings.grad) {
  Set(settings);
}

RunScope::~RunScope() {
  Set(before_);
}

}  // namespace culprit::repro
