// SPDX-License-Identifier: Apache-2.0
#include "process/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <string_view>

namespace culprit::process {
namespace {

using base::Diagnostic;

// dlerror() begins with the path, which the diagnostic shows anyway.
std::string ReasonOf(std::string_view error, const std::string& path) {
  const std::string prefix = path + ": ";
  if (error.starts_with(prefix)) error.remove_prefix(prefix.size());
  return std::string(error);
}

}  // namespace

base::Result<void*> LoadSharedLibrary(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return Diagnostic{{path}, "there is no such file"};
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  // dlopen is declared not to throw, but what an initialiser throws comes through it. Through a pointer that
  // the compiler cannot see behind, the exception can be caught.
  void* (*volatile open)(const char*, int) = dlopen;
  try {
    if (void* handle = open(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
  } catch (const std::exception& thrown) {
    const std::string_view what = thrown.what();
    return Diagnostic{{path},
                      fmt::format("cannot be loaded: it throws: {}", what.substr(0, what.find('\n')))};
  }
  return Diagnostic{{path}, fmt::format("cannot be loaded: {}", ReasonOf(dlerror(), file))};
}

}  // namespace culprit::process
