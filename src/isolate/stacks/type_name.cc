// SPDX-License-Identifier: Apache-2.0
#include "isolate/stacks/type_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace culprit::isolate {

std::string Demangle(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : symbol;
}

std::string TypeName(const std::type_info& type) {
  return Demangle(type.name());
}

}  // namespace culprit::isolate
