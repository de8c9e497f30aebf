// SPDX-License-Identifier: Apache-2.0
#include "process/environment.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace culprit::process {
namespace {

// The rest of the first line of `text` that contains `label`, behind a colon and blanks.
std::string FieldOf(std::istream& text, std::string_view label) {
  for (std::string line; std::getline(text, line);) {
    if (line.find(label) == std::string::npos) continue;
    const size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return "unknown";
}

// What stands in libtorch's description of itself behind a word, up to the end of that piece: "mkl" of
// "BLAS_INFO=mkl, ...".
std::string WordBehind(const std::string& config, std::string_view word) {
  const size_t begin = config.find(word);
  if (begin == std::string::npos) return {};
  const size_t end = config.find_first_of(",- \n", begin + word.size());
  return config.substr(begin + word.size(), end - begin - word.size());
}

std::string Blas(const std::string& config) {
  const std::string mkl = WordBehind(config, "Math Kernel Library Version ");
  return mkl.empty() ? WordBehind(config, "BLAS_INFO=") : "MKL " + mkl;
}

// The library has the path .../torch/lib/libtorch_cpu.so.
std::string TorchFolder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&at::show_config), &info) == 0) return "unknown";
  return std::filesystem::weakly_canonical(info.dli_fname).parent_path().parent_path();
}

std::string CpuModel() {
  std::ifstream info("/proc/cpuinfo");
  return FieldOf(info, "model name");
}

}  // namespace

Environment DescribeEnvironment() {
  const std::string config = at::show_config();
  std::istringstream lines(config);
  const char* policy = std::getenv("OMP_WAIT_POLICY");
  return {
      .torch_version = WordBehind(config, "TORCH_VERSION="),
      .torch_folder = TorchFolder(),
      .blas = Blas(config),
      .onednn = WordBehind(config, "MKL-DNN v"),
      .cpu_capability = FieldOf(lines, "CPU capability"),
      .cpu_model = CpuModel(),
      .threads = at::get_num_threads(),
      .wait_policy = policy == nullptr ? "default" : policy,
  };
}

}  // namespace culprit::process
