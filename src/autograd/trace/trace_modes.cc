// SPDX-License-Identifier: Apache-2.0
#include "autograd/trace/trace_modes.h"

#include <ATen/autocast_mode.h>

namespace culprit::autograd {
namespace {

void Set(const TraceModes& modes) {
  c10::GradMode::set_enabled(modes.grad);
  at::autocast::set_autocast_enabled(at::kCPU, modes.autocast);
  at::autocast::set_autocast_dtype(at::kCPU, modes.autocast_dtype);
  at::autocast::set_autocast_cache_enabled(modes.autocast_cache);
}

}  // namespace

TraceModes TraceModes::Current() {
  return {.grad = c10::GradMode::is_enabled(),
          .autocast = at::autocast::is_autocast_enabled(at::kCPU),
          .autocast_dtype = at::autocast::get_autocast_dtype(at::kCPU),
          .autocast_cache = at::autocast::is_autocast_cache_enabled()};
}

TraceModesScope::TraceModesScope(const TraceModes& modes) : before_(TraceModes::Current()) {
  Set(modes);
}

TraceModesScope::~TraceModesScope() {
  Set(before_);
}

}  // namespace culprit::autograd
