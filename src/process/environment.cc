// SPDX-License-Identifier: Apache-2.0
#include "process/environment.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace culprit::process {
namespace {

struct Blas {
  std::string name;
  bool is_slow;
};

// The library that libtorch's matrix products go to. Another BLAS may be loaded as well and stay idle, say as
// a dependency of LAPACK. Null, which makes dlsym search everywhere, if it is no shared library.
void* LoadedBlas() {
  Dl_info info;
  void* product = dlsym(RTLD_DEFAULT, "sgemm_");
  if (product == nullptr || dladdr(product, &info) == 0) return nullptr;
  return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

// Every BLAS exports the same routines; each fast one also exports a function of its own that gives it away.
Blas DetectBlas() {
  void* library = LoadedBlas();
  if (auto* config = reinterpret_cast<char* (*)()>(dlsym(library, "openblas_get_config"))) {
    return {config(), false};
  }
  if (auto* version = reinterpret_cast<const char* (*)()>(dlsym(library, "bli_info_get_version_str"))) {
    return {std::string("BLIS ") + version(), false};
  }
  if (dlsym(library, "mkl_get_version_string") != nullptr) return {"MKL", false};
  if (dlsym(library, "ATL_buildinfo") != nullptr) return {"ATLAS", false};
  return {"reference BLAS (slow)", true};
}

// The rest of the first line of `text` that contains `label`, behind a colon and blanks.
std::string FieldOf(std::istream& text, std::string_view label) {
  for (std::string line; std::getline(text, line);) {
    if (line.find(label) == std::string::npos) continue;
    const size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return "unknown";
}

// libtorch keeps the function that knows it to itself, but prints it in its configuration.
std::string CpuCapability() {
  std::istringstream config(at::show_config());
  return FieldOf(config, "CPU capability");
}

std::string CpuModel() {
  std::ifstream info("/proc/cpuinfo");
  return FieldOf(info, "model name");
}

}  // namespace

Environment DescribeEnvironment() {
  const Blas blas = DetectBlas();
  const char* policy = std::getenv("OMP_WAIT_POLICY");
  return {
      .torch_version = TORCH_VERSION,
      .blas = blas.name,
      .blas_is_slow = blas.is_slow,
      .cpu_capability = CpuCapability(),
      .cpu_model = CpuModel(),
      .threads = at::get_num_threads(),
      .wait_policy = policy == nullptr ? "default" : policy,
  };
}

std::optional<base::Diagnostic> SlowBlasWarning(const Environment& environment) {
  if (!environment.blas_is_slow) return std::nullopt;
  base::Diagnostic warning{{}, "matrix products use the reference BLAS, which is up to 40 times too slow"};
  warning.help = "install a fast one: apt-get install libopenblas0-openmp";
  return warning;
}

}  // namespace culprit::process
