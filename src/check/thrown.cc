// SPDX-License-Identifier: Apache-2.0
#include "check/thrown.h"

#include <c10/util/Type.h>
#include <cxxabi.h>

#include "graph/torch_error.h"

namespace culprit::check {

std::optional<Thrown> CatchThrown(c10::function_ref<void()> function) {
  try {
    function();
  } catch (const abi::__forced_unwind&) {
    // A thread that is cancelled.
    throw;
  } catch (const std::exception& error) {
    return Thrown{c10::demangle(typeid(error).name()), graph::TorchMessage(error), std::current_exception()};
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return Thrown{type != nullptr ? c10::demangle(type->name()) : "",
                  "something that is no std::exception was thrown", std::current_exception()};
  }
  return std::nullopt;
}

std::optional<std::string> MessageOfThrown(c10::function_ref<void()> function) {
  std::optional<Thrown> thrown = CatchThrown(function);
  if (!thrown) return std::nullopt;
  return std::move(thrown->message);
}

}  // namespace culprit::check
