// SPDX-License-Identifier: Apache-2.0
#include "capture/guards/modes.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

namespace culprit::capture {
namespace {

const char* OnOff(bool on) {
  return on ? "on" : "off";
}

std::string Differs(const char* what, bool actual, bool expected) {
  return fmt::format("{} is {}, not {}", what, OnOff(actual), OnOff(expected));
}

}  // namespace

Modes Modes::Current() {
  return {.grad = at::GradMode::is_enabled(),
          .inference = c10::InferenceMode::is_enabled(),
          .autocast = at::autocast::is_autocast_enabled(at::kCPU),
          .autocast_dtype = at::autocast::get_autocast_dtype(at::kCPU),
          .default_dtype = c10::get_default_dtype_as_scalartype(),
          .deterministic = at::globalContext().deterministicAlgorithms(),
          .threads = at::get_num_threads()};
}

std::string Modes::Difference(const Modes& expected) const {
  if (grad != expected.grad) return Differs("grad mode", grad, expected.grad);
  if (inference != expected.inference) return Differs("inference mode", inference, expected.inference);
  if (autocast != expected.autocast) return Differs("autocast", autocast, expected.autocast);
  if (deterministic != expected.deterministic)
    return Differs("the choice of deterministic algorithms", deterministic, expected.deterministic);
  if (autocast_dtype != expected.autocast_dtype)
    return fmt::format("autocast computes in {}, not {}", c10::toString(autocast_dtype),
                       c10::toString(expected.autocast_dtype));
  if (default_dtype != expected.default_dtype)
    return fmt::format("the default dtype is {}, not {}", c10::toString(default_dtype),
                       c10::toString(expected.default_dtype));
  if (threads != expected.threads)
    return fmt::format("there are {} threads, not {}", threads, expected.threads);
  return "";
}

std::string Modes::Describe() const {
  std::string text = fmt::format("grad mode is {}, {} thread{}, default dtype {}", OnOff(grad), threads,
                                 threads == 1 ? "" : "s", c10::toString(default_dtype));
  if (inference) text += ", inference mode";
  if (autocast) text += fmt::format(", autocast to {}", c10::toString(autocast_dtype));
  if (deterministic) text += ", deterministic algorithms";
  return text;
}

}  // namespace culprit::capture
