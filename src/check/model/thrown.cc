// SPDX-License-Identifier: Apache-2.0
#include "check/model/thrown.h"

#include <c10/util/Type.h>
#include <cxxabi.h>

#include "backend/foreign_error.h"
#include "graph/tensors/torch_error.h"

namespace culprit::check {

namespace {

std::string TypeOf(const std::exception& error) {
  const auto* foreign = dynamic_cast<const backend::ForeignError*>(&error);
  return foreign != nullptr ? foreign->type() : c10::demangle(typeid(error).name());
}

}  // namespace

std::optional<Thrown> CatchThrown(c10::function_ref<void()> function) {
  try {
    function();
  } catch (const abi::__forced_unwind&) {
    // A thread that is cancelled.
    throw;
  } catch (const backend::ForeignRequest&) {
    throw;
  } catch (const std::exception& error) {
    return Thrown{TypeOf(error), graph::TorchMessage(error), std::current_exception()};
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
